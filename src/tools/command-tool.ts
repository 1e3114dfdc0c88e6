/** A command of the user as a tool: it gets the arguments as JSON on stdin, and what it prints is the result. */

import type { Readable } from 'node:stream'
import { errorMessage, UsageError } from '../errors.ts'
import { isObject, jsonPath, type JsonObject } from '../io/json/json.ts'
import { startGroup } from '../io/process/process-group.ts'
import { onAbort } from '../io/time/abort.ts'
import { parseWords } from './command-words.ts'
import { environmentFor, expandValues } from './environment.ts'
import { type CallOutcome, createTool, loadValidator, maxLength, type Tool, type ToolsContext } from './tool.ts'
import type { CommandEntry } from './tools-file.ts'

/** In characters: the end of what a failed command wrote to stderr. */
const maxErrorLength = 4000

/** @param path The file. @throws UsageError for a schema, a word or a variable that is not accepted, naming the JSON path. */
export async function commandTool(
  name: string,
  { command, env, ...entry }: CommandEntry,
  path: string,
  context: ToolsContext,
): Promise<Tool> {
  const { io, secrets, notices } = context
  const where = `${path}: ${jsonPath(['tools', name])}`
  const { properties } = entry.parameters
  const wordsOf = parseWords(command, `${where}.command`, isObject(properties) ? Object.keys(properties) : [])
  const variables = environmentFor('command', expandValues(env, `${where}.env`, io), io)
  const validate = await loadValidator(entry.parameters, io.signal).catch((error: unknown) => {
    io.signal.throwIfAborted()
    throw new UsageError(`${where}.parameters: not a JSON schema: ${errorMessage(error)}`)
  })
  const run = async (args: JsonObject, stop: AbortSignal): Promise<CallOutcome> => {
    const group = startGroup(wordsOf(args), variables, io)
    const ignoreAbort = onAbort(stop, group.kill)
    // A character longer, so that it shows that there was more.
    const output = keep(group.stdout, (text) => text.slice(0, maxLength + 1))
    // Twice as much, so that a key that is cut in two is not in the half that is shown.
    const errors = keep(group.stderr, (text) => text.slice(-2 * maxErrorLength))
    group.stdin.end(JSON.stringify(args))
    const failure = await group.ended
    ignoreAbort()
    const masked = secrets.mask(errors()).trimEnd()
    if (masked !== '') await notices.debug(() => `${name} on stderr: ${masked}`)
    if (failure === undefined) return { text: output() }
    const end = masked.slice(-maxErrorLength).replace(/^[\udc00-\udfff]/, '')
    const reason = stop.aborted ? errorMessage(stop.reason) : failure
    return { text: output(), failure: `${end === '' ? '' : `\n[stderr]\n${end}`}\n[${reason}]\n` }
  }
  return createTool({ name, label: name, description: undefined, ...entry, validate, run }, context)
}

/** @param cut Gets the text so far, and returns what is kept of it. @returns what was kept. */
function keep(stream: Readable, cut: (text: string) => string): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => (text = cut(text + chunk)))
  return () => text
}
