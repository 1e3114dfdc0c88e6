/** tools.json: the user's own file, or that of `--tools-file`. None is ever read from the working directory. */

import { join } from 'node:path'
import * as v from 'valibot'
import type { UsageError } from '../errors.ts'
import { choicesText, invalidValue, type Problem } from '../fields/problem.ts'
import { closest } from '../fields/suggestion.ts'
import { findProblem } from '../fields/shape.ts'
import { directoryFor } from '../io/files/directories.ts'
import { decodeText, readInput } from '../io/files/files.ts'
import { ownerOf } from '../io/files/private.ts'
import type { Io } from '../io/io.ts'
import { isObject, type JsonObject } from '../io/json/json.ts'
import { parseJson } from '../io/json/parse.ts'
import { readConfigFile } from '../settings/config-file.ts'

/** Valibot takes an array for an object. */
const object = v.custom<Record<string, unknown>>(isObject, 'an object')
const text = v.pipe(v.string(), v.regex(/^[^\0]*$/, 'a text without NUL'))
const texts = v.pipe(object, v.record(v.pipe(v.string(), v.regex(/^[^=\0]+$/, 'a name')), text))

/** `env` has `${NAME}` in its values. `timeout` is in seconds: of each call, and of the start of a server with its list. */
const shared = {
  env: v.optional(texts, {}),
  timeout: v.optional(v.pipe(v.number(), v.minValue(0.001, 'a number of seconds above 0')), 60),
}

const command = v.strictObject({
  description: v.optional(v.string()),
  parameters: v.optional(v.looseObject({ type: v.literal('object') }), { type: 'object' }),
  command: v.pipe(
    v.array(text),
    v.check(([program = '']) => program !== '', 'a program and its arguments'),
  ),
  ...shared,
})

/** Other keys are allowed: other clients have keys of their own. */
const server = v.pipe(
  v.object({
    command: v.optional(v.pipe(v.string(), v.minLength(1, 'a program'))),
    args: v.optional(v.array(text), []),
    cwd: v.optional(v.string()),
    url: v.optional(v.string()),
    headers: v.optional(texts, {}),
    allowHttp: v.optional(v.boolean(), false),
    ...shared,
  }),
  v.check((one) => (one.command === undefined) !== (one.url === undefined), 'either a command or a url'),
)

/** The tool that is in no file. */
export const searchName = 'search'

function entries<Entry extends v.GenericSchema>(entry: Entry, name: RegExp, rule: string) {
  return v.optional(v.pipe(object, v.record(v.pipe(v.string(), v.regex(name, rule)), entry)), {})
}

const document = v.object({
  tools: entries(command, /^(?!search$)[\w-]{1,64}$/, `1 to 64 letters, digits, - and _, and not ${searchName}`),
  mcpServers: entries(server, /^(?!search$)./, `another name than ${searchName}`),
})

export type ToolCommandEntry = Omit<v.InferOutput<typeof command>, 'parameters'> & { readonly parameters: JsonObject }

/** An MCP server: a program with its arguments, or a URL. */
export type ServerEntry = v.InferOutput<typeof server>

export type ToolsFile = Readonly<Awaited<ReturnType<typeof readToolsFile>>>

/** The user's own file. */
export function toolsPath(io: Pick<Io, 'env' | 'platform'>): string {
  return join(directoryFor('config', io), 'tools.json')
}

/** @throws UsageError naming the file and the JSON path of the first problem, or if another user can change the user's own. */
export async function readToolsFile(named: string | undefined, io: Io) {
  const path = named ?? toolsPath(io)
  const bytes =
    named === undefined
      ? readConfigFile({ path, owner: ownerOf(io) }, 'read')
      : await readInput(named, '--tools-file', io)
  const json = bytes === undefined ? {} : parseJson(decodeText(bytes, path), path)
  const refused = (at: Problem['path'], found: string, expected: string): UsageError =>
    invalidValue(path, { path: at, found, expected })
  const keys = isObject(json) ? Object.keys(json) : []
  const known = Object.keys(document.entries)
  // Others are keys of other clients, but not in place of these.
  const typo = keys.some((key) => known.includes(key)) ? undefined : keys.find((key) => closest(key, known))
  if (typo !== undefined) throw refused([typo], 'the key', choicesText(known, typo))
  const problem = findProblem(v.pipe(object, document), json)
  if (problem?.expected === 'never') {
    throw refused(problem.path, 'the key', choicesText(Object.keys(command.entries), problem.path.at(-1)))
  }
  // A value is not quoted: one in the wrong place may be a token.
  if (problem) throw refused(problem.path, problem.found === 'missing' ? 'missing' : 'the value', problem.expected)
  const { tools, mcpServers } = v.parse(document, json)
  const both = Object.keys(tools).find((name) => Object.hasOwn(mcpServers, name))
  if (both !== undefined) throw refused(['tools', both], 'the name', 'another one than that of a server')
  return {
    path,
    commands: new Map(Object.entries(tools) as [string, ToolCommandEntry][]),
    servers: new Map(Object.entries(mcpServers)),
  }
}

/** The names of tools, and of servers, which stand for all of their tools. */
export function toolNames({ commands, servers }: ToolsFile): string[] {
  return [...commands.keys(), ...servers.keys(), searchName]
}
