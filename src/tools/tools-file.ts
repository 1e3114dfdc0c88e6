/** Reads tools.json: the user's own, or that of `--tools-file`. None is ever read from the working directory. */

import { join } from 'node:path'
import { UsageError } from '../errors.ts'
import { choicesText, invalidValue } from '../fields/problem.ts'
import { findProblem } from '../fields/shape.ts'
import { directoryFor, homeDirectory } from '../io/files/directories.ts'
import { decodeText, readInput } from '../io/files/files.ts'
import type { Io } from '../io/io.ts'
import { jsonPath, parseJson } from '../io/json/json.ts'
import { readConfigFile } from '../settings/config-file.ts'
import { commandKeys, toolsFile, type CommandEntry, type ServerEntry } from './shapes.ts'

export interface ToolsFile {
  readonly path: string
  readonly commands: ReadonlyMap<string, CommandEntry>
  readonly servers: ReadonlyMap<string, ServerEntry>
}

/** The tool that is in no file. */
export const searchName = 'search'

/** The user's own file. */
export function toolsPath(io: Pick<Io, 'env' | 'platform'>): string {
  return join(directoryFor('config', io), 'tools.json')
}

/**
 * @param named The file of `--tools-file` (default: the user's own, which need not exist).
 * @throws UsageError naming the file and the JSON path of the first problem, or if another user can change the user's own.
 */
export async function readToolsFile(named: string | undefined, io: Io): Promise<ToolsFile> {
  const path = named ?? toolsPath(io)
  const owner = { user: io.user, home: homeDirectory(io.env) }
  const bytes =
    named === undefined ? readConfigFile({ path, owner }, 'read') : await readInput(named, '--tools-file', io)
  const document = bytes === undefined ? {} : parseJson(decodeText(bytes, path), path)
  const problem = findProblem(toolsFile, document)
  // A value in the wrong place may be a token.
  if (problem) throw invalidValue(path, { ...problem, found: problem.found === 'missing' ? 'missing' : 'the value' })
  const { tools = {}, mcpServers = {} } = document as {
    tools?: Record<string, CommandEntry>
    mcpServers?: Record<string, ServerEntry>
  }
  const file = { path, commands: new Map(Object.entries(tools)), servers: new Map(Object.entries(mcpServers)) }
  for (const [name, entry] of file.commands) checkCommand(name, entry, file)
  for (const [name, entry] of file.servers) checkServer(name, entry, path)
  return file
}

function checkCommand(name: string, entry: CommandEntry, { path, servers }: ToolsFile): void {
  const at = ['tools', name]
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw invalidValue(path, { path: at, found: 'the name', expected: '1 to 64 letters, digits, - and _' })
  }
  if (name === searchName || servers.has(name)) {
    const other = name === searchName ? 'the web search of the service' : 'a server, too'
    throw invalidValue(path, { path: at, found: 'the name', expected: `another one: ${name} is ${other}` })
  }
  const unknown = Object.keys(entry).find((key) => !commandKeys.includes(key))
  if (unknown === undefined) return
  throw invalidValue(path, { path: [...at, unknown], found: 'the key', expected: choicesText(commandKeys, unknown) })
}

function checkServer(name: string, { command, url }: ServerEntry, path: string): void {
  const at = ['mcpServers', name]
  if (name === searchName || name === '') {
    throw invalidValue(path, { path: at, found: 'the name', expected: 'another one' })
  }
  if ((command === undefined) === (url === undefined)) {
    throw new UsageError(`${path}: ${jsonPath(at)} needs either "command" or "url"`)
  }
  if (url !== undefined && !/^(https?:\/\/|\$\{)/i.test(url)) {
    throw invalidValue(path, { path: [...at, 'url'], found: 'the value', expected: 'an http or https URL' })
  }
}

/** The names of tools, and of servers, which stand for all of their tools. */
export function toolNames({ commands, servers }: ToolsFile): string[] {
  return [...commands.keys(), ...servers.keys(), searchName]
}
