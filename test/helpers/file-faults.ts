/** Failures of the file system in a process: a signal, the n-th, makes the n-th call after it fail. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptyFolder } from './run-syn.ts'

export const faultSignal = 'SIGUSR2'

/** @param cycle After as many signals, it is the first call again. @returns the environment of such a process. */
export function withFileFaults(cycle = Infinity): { NODE_OPTIONS: string } {
  const preload = join(emptyFolder(), 'faults.cjs')
  writeFileSync(preload, script(cycle))
  return { NODE_OPTIONS: `--require ${JSON.stringify(preload)}` }
}

/** Calls with a path, not of the program itself, and with an open file, not a standard stream. Closing does not fail. */
const script = (cycle: number): string => `
  const fs = require('node:fs')
  let [armed, left] = [0, 0]
  process.on('${faultSignal}', () => (left = armed = (armed % ${cycle}) + 1))
  const isCounted = (first) => (typeof first === 'string' ? !/node_modules|dist/.test(first) : first > 2)
  for (const calls of [fs, fs.promises]) {
    for (const name of Object.keys(calls)) {
      const call = calls[name]
      if (typeof call !== 'function' || /^[A-Z_]/.test(name) || /Stream|watch|^close/.test(name)) continue
      calls[name] = Object.assign(function (...given) {
        const fails = isCounted(given[0]) && left > 0 && --left === 0
        if (!fails) return call.apply(this, given)
        const error = Object.assign(new Error('EIO: i/o error, ' + name), { code: 'EIO', syscall: name, errno: -5 })
        const callback = given.at(-1)
        if (calls === fs.promises) return Promise.reject(error)
        if (typeof callback !== 'function') throw error
        process.nextTick(callback, error)
      }, call)
    }
  }
`
