/** Input files of `syn batch` of any length, and a comparison of its outputs. */

import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'

const newline = 0x0a

/** In characters. */
const blockLength = 1024 * 1024

/** What a row of the files below asks; `row` counts from 1. */
export function rowText(row: number): string {
  return `Review ${row}: it works well, and I would buy it again.`
}

const formats = {
  lines: { head: '', line: (_row: number, text: string) => text },
  /** Rows of their own: `{"custom_id":"row-1","prompt":"…"}`. */
  jsonl: {
    head: '',
    line: (row: number, text: string) => JSON.stringify({ custom_id: `row-${row}`, prompt: text }),
  },
  /** Columns for a template. */
  csv: { head: 'title,text\n', line: (row: number, text: string) => `Title ${row},"${text.replaceAll('"', '""')}"` },
}

/** @param textOf What a row asks (default: `rowText`). */
export function writeRows(
  path: string,
  count: number,
  format: keyof typeof formats = 'jsonl',
  textOf: (row: number) => string = rowText,
): void {
  const { head, line } = formats[format]
  const file = openSync(path, 'w')
  try {
    let block = head
    for (let row = 1; row <= count; row++) {
      block += `${line(row, textOf(row))}\n`
      if (block.length < blockLength && row < count) continue
      writeSync(file, block)
      block = ''
    }
  } finally {
    closeSync(file)
  }
}

/** @returns the first line that differs, with its number, in both files; `undefined` if they are equal. */
export function firstDifference(one: string, other: string): [line: number, one: string, other: string] | undefined {
  const [bytes, others] = [readFileSync(one), readFileSync(other)]
  if (bytes.equals(others)) return undefined
  let at = 0
  while (at < bytes.length && bytes[at] === others[at]) at++
  const start = bytes.lastIndexOf(newline, at - 1) + 1
  const lineOf = (file: Buffer): string => file.toString('utf8', start, file.indexOf(newline, at) + 1 || file.length)
  let line = 1
  for (let end = bytes.indexOf(newline); end !== -1 && end < start; end = bytes.indexOf(newline, end + 1)) line++
  return [line, lineOf(bytes), lineOf(others)]
}
