/**
 * The API key of the tests, and a search for it in everything that the program prints and writes while they run. What tests
 * write themselves may contain it only where a user would put it: in the config file, or in a file named `*.key`. Where the key
 * passes unchanged, as in an answer, a test needs another key.
 */

import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { entriesBelow } from './tree.ts'

/** Unlike any other text in the tests, and with a slash, which JSON may escape. */
export const testKey = 'sk-canary/Hq7vW2mZxT9bRk4LpD6sJc3'

/** Pieces of six characters: any eleven of the key contain one. */
const pieces = testKey.match(/.{6}/g) ?? []

const jsonEscape = /\\+(?:u00([0-7][0-9a-f])|\/)/gi

/** @returns a piece of the key that a text contains, also in JSON escapes. */
export function leakIn(text: string): string | undefined {
  const plain = text.includes('\\')
    ? text.replaceAll(jsonEscape, (_, code?: string) => (code ? String.fromCharCode(Number.parseInt(code, 16)) : '/'))
    : text
  return pieces.find((piece) => plain.includes(piece))
}

/** Next to the folders of the tests, for the teardown, which runs in another process. */
function findings(folder: string): string {
  return join(folder, 'leaks.txt')
}

/** Searches the output of a run. @param run Its arguments, or the test. */
export function searchOutput(run: string, ...texts: string[]): void {
  if (texts.some((text) => leakIn(text) !== undefined))
    appendFileSync(findings(tmpdir()), `the output of ${run.replaceAll(testKey, '[key]')}\n`)
}

/** @returns where the key was found: in outputs, and in the files below a folder. */
export async function searchEverything(folder: string): Promise<string[]> {
  const found = existsSync(findings(folder)) ? readFileSync(findings(folder), 'utf8').trimEnd().split('\n') : []
  let searched = 0
  for (const { path, name, kind } of entriesBelow(Buffer.from(folder))) {
    if (kind === 'file' && !isSkipped(name) && holdsKey(path)) found.push(path.toString())
    // Vitest waits for a message from each worker meanwhile.
    if (++searched % 100 === 0) await setImmediate()
  }
  return found
}

function isSkipped(name: string): boolean {
  return name === 'config.json' || name.endsWith('.bundled.mjs') || name.endsWith('.key')
}

/** In bytes. Only files of null bytes are larger, which tests make to exceed a limit. */
const largestFile = 128 * 1024 * 1024

function holdsKey(path: Buffer): boolean {
  return statSync(path).size <= largestFile && leakIn(readFileSync(path, 'latin1')) !== undefined
}
