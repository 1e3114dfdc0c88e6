/** The shape of tools.json. Unknown keys of servers are allowed: other clients have keys of their own. */

import * as v from 'valibot'
import { isObject, type JsonObject } from '../io/json/json.ts'

/** Valibot takes an array for an object. */
const object = v.custom<Record<string, unknown>>(isObject, 'an object')
const variables = v.pipe(object, v.record(v.string(), v.string()))
const timeout = v.optional(v.pipe(v.number(), v.minValue(0.001, 'a number of seconds above 0')))

const command = v.looseObject({
  description: v.optional(v.string()),
  parameters: v.optional(v.looseObject({ type: v.literal('object') })),
  command: v.pipe(v.array(v.string()), v.minLength(1, 'a program and its arguments')),
  env: v.optional(variables),
  timeout,
})

/** The keys of a tool: others are mistyped. */
export const commandKeys = Object.keys(command.entries)

const server = v.looseObject({
  command: v.optional(v.pipe(v.string(), v.minLength(1, 'a program'))),
  args: v.optional(v.array(v.string())),
  env: v.optional(variables),
  url: v.optional(v.string()),
  headers: v.optional(variables),
  timeout,
})

export const toolsFile = v.pipe(
  object,
  v.looseObject({
    tools: v.optional(v.pipe(object, v.record(v.string(), command))),
    mcpServers: v.optional(v.pipe(object, v.record(v.string(), server))),
  }),
)

interface Entry {
  /** Names and values, with `${NAME}`. */
  readonly env?: Record<string, string>
  /** In seconds, of each call; of a server, also of its start and the list of its tools together. */
  readonly timeout?: number
}

/** A command of the user. */
export interface CommandEntry extends Entry {
  readonly description?: string
  readonly parameters?: JsonObject
  readonly command: readonly string[]
}

/** A program with its arguments, or a URL. */
export interface ServerEntry extends Entry {
  readonly command?: string
  readonly args?: readonly string[]
  readonly url?: string
  readonly headers?: Record<string, string>
}
