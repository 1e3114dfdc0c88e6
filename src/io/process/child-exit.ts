import type { ChildProcess } from 'node:child_process'
import { reasonOf } from '../../errors.ts'

/**
 * Resolves when a process has exited and its output is read, with `exited with status 1`, `was killed by SIGKILL` or
 * `cannot be run: …`; `undefined` after status 0.
 */
export function childFailure(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(`cannot be run: ${child.spawnfile}: ${reasonOf(error)}`))
    child.on('close', (status, signal) => {
      if (status === 0) resolve(undefined)
      else resolve(signal === null ? `exited with status ${status}` : `was killed by ${signal}`)
    })
  })
}
