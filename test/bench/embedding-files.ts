/** Counts the embeddings in a file. `test/embeddings` and `test/commands` compare their numbers. */

import { createReadStream } from 'node:fs'

export const formats = ['jsonl', 'csv'] as const
export type Format = (typeof formats)[number]

export interface Size {
  readonly lines: number
  readonly dimensions: number
}

/** @returns what is wrong with a file that was written from so many embeddings. */
export async function problemOfFile(format: Format, path: string, { lines }: Size): Promise<string | undefined> {
  const count = await counts[format](path)
  return count === lines ? undefined : `${count} of ${lines} embeddings`
}

const counts: Readonly<Record<Format, (path: string) => Promise<number>>> = {
  jsonl: linesIn,
  csv: async (path) => (await linesIn(path)) - 1,
}

async function linesIn(path: string): Promise<number> {
  let count = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    for (let at = -1; (at = (chunk as Buffer).indexOf(10, at + 1)) !== -1;) count++
  }
  return count
}
