/** A command of the user as a tool: it gets the arguments as JSON on stdin, and what it prints is the result. */

import type { Readable } from 'node:stream'
import { errorMessage, UsageError } from '../errors.ts'
import { InvalidSchemaError } from '../fields/json-schema.ts'
import { isObject, jsonPath, type JsonObject } from '../io/json/json.ts'
import { startGroup } from '../io/process/process-group.ts'
import { onAbort } from '../io/time/abort.ts'
import { TimeLimitError } from '../io/time/time-limit.ts'
import { parseWords } from './command-words.ts'
import { environmentFor, expandValues } from './environment.ts'
import type { CommandEntry } from './shapes.ts'
import {
  type CallOutcome,
  createTool,
  defaultTimeout,
  loadArgumentCheck,
  maxLength,
  type Tool,
  type ToolsContext,
} from './tool.ts'

/** In characters: the end of what a failed command wrote to stderr. */
const maxErrorLength = 4000

/** @param path The file. @throws UsageError for a schema, a word or a variable that is not accepted, naming the JSON path. */
export async function commandTool(
  name: string,
  { description, parameters = { type: 'object', properties: {} }, command, env, timeout }: CommandEntry,
  path: string,
  context: ToolsContext,
): Promise<Tool> {
  const { io, secrets } = context
  const where = `${path}: ${jsonPath(['tools', name])}`
  const known = isObject(parameters.properties) ? Object.keys(parameters.properties) : []
  const wordsOf = parseWords(command, `${where}.command`, known)
  const variables = environmentFor('command', expandValues(env, `${where}.env`, io), io)
  const check = await loadArgumentCheck(parameters, io.signal).catch((error: unknown) => {
    if (!(error instanceof InvalidSchemaError || error instanceof TimeLimitError)) throw error
    throw new UsageError(`${where}.parameters: not a JSON schema: ${errorMessage(error)}`)
  })
  const run = (args: JsonObject, stop: AbortSignal): Promise<CallOutcome> =>
    runCommand(name, { words: wordsOf(args), variables, stdin: JSON.stringify(args) }, context, stop)
  return createTool(
    { name, label: name, description, parameters, timeout: timeout ?? defaultTimeout, check, run },
    secrets,
  )
}

interface Call {
  readonly words: readonly string[]
  readonly variables: Record<string, string>
  readonly stdin: string
}

async function runCommand(
  name: string,
  { words, variables, stdin }: Call,
  { io, secrets, notices }: ToolsContext,
  stop: AbortSignal,
): Promise<CallOutcome> {
  const group = startGroup(words, variables, io)
  const ignoreAbort = onAbort(stop, group.kill)
  // A character longer, so that it shows that there was more.
  const output = keep(group.stdout, (text) => text.slice(0, maxLength + 1))
  // Twice as much, so that a key that is cut in two is not in the half that is shown.
  const errors = keep(group.stderr, (text) => text.slice(-2 * maxErrorLength))
  group.stdin.end(stdin)
  const failure = await group.ended
  ignoreAbort()
  const masked = secrets.mask(errors())
  if (masked !== '') await notices.debug(() => `${name} on stderr: ${masked.trimEnd()}`)
  if (failure === undefined) return { text: output() }
  const end = masked.slice(-maxErrorLength).replace(/^[\udc00-\udfff]/, '')
  const reason = stop.aborted ? errorMessage(stop.reason) : failure
  return { text: output(), failure: `${end === '' ? '' : `\n[stderr]\n${end.trimEnd()}`}\n[${reason}]\n` }
}

/** @param cut Gets the text so far, and returns what is kept of it. @returns what was kept. */
function keep(stream: Readable, cut: (text: string) => string): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => (text = cut(text + chunk)))
  return () => text
}
