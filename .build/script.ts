/** Runs the scripts of this folder, and the programs that they need. */

import { execFileSync, type SpawnSyncReturns } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An error whose reader can fix the cause: printed without a stack trace. */
export class ScriptError extends Error {}

/**
 * Runs a script with a folder of its own, which is removed at its end, also after Ctrl-C.
 * @param name Of the script, before its errors.
 */
export async function runScript(name: string, script: (folder: string) => Promise<void>): Promise<void> {
  // A umask of 077 would make files in an archive that only their owner can read.
  process.umask(0o022)
  const folder = mkdtempSync(join(tmpdir(), `syn-${name}-`))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  try {
    await script(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!(error instanceof ScriptError) && !code?.startsWith('ERR_PARSE_ARGS')) throw error
    process.stderr.write(`${name}: ${(error as Error).message}\n`)
    process.exitCode = 1
  }
}

/** @returns its standard output. @throws ScriptError with what it printed on standard error. */
export function runProgram(
  file: string,
  argv: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; shell?: boolean } = {},
): string {
  try {
    return execFileSync(file, argv, { ...options, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { stderr, signal, code, status } = error as NodeJS.ErrnoException & SpawnSyncReturns<string>
    const [line] = [file, ...argv].join(' ').match(/^.{1,160}/s) ?? []
    throw new ScriptError(`${line}: ${stderr?.trim() || (signal ?? code ?? `exit status ${status}`)}`)
  }
}
