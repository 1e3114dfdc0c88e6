/** Input that is too large, and the memory that a run needs for it. */

import { closeSync, openSync, ftruncateSync } from 'node:fs'
import { join } from 'node:path'
import { environment } from './program.ts'
import { emptyFolder } from './run-syn.ts'

export const mebibyte = 1024 * 1024

/** A file of null bytes, which takes no space on the disk. */
export function sparseFile(size: number): string {
  const path = join(emptyFolder(), 'null-bytes')
  const file = openSync(path, 'w')
  ftruncateSync(file, size)
  closeSync(file)
  return path
}

/** Chunks of 1 MiB. */
export function* repeated(text: string, count: number): Generator<Uint8Array> {
  const chunk = Buffer.alloc(mebibyte, text)
  for (let number = 0; number < count; number++) yield chunk
}

const reportMemory = 'process.on("exit",()=>process._rawDebug("peak:"+process.resourceUsage().maxRSS))'

/** The environment of a process that ends its standard error with its peak of memory: see `splitPeak`. */
export function measured(env: Record<string, string> = environment()): Record<string, string> {
  return { ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(reportMemory)}` }
}

/** @returns the rest of standard error, and the peak in MiB. */
export function splitPeak(err: string): { err: string; peak: number } {
  const [, text = err, peak] = /^([^]*)peak:(\d+)\n$/.exec(err) ?? []
  return { err: text, peak: Number(peak) / 1024 }
}
