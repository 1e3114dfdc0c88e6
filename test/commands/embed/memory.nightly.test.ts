/** The memory of a run does not grow with the number of its texts. */

import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { model, textsOf } from '../../helpers/embed.ts'
import { measured, splitPeak } from '../../helpers/large.ts'
import { environment, startSyn } from '../../helpers/program.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { startService, type Answer } from '../../helpers/service.ts'

const folder = emptyFolder()

/** Each number has as many digits as those of a service. */
function answering(dimensions: number): Answer {
  const embedding = Array.from({ length: dimensions }, (_, at) => -1 / (at + 3))
  const replies = new Map<number, string>()
  return (asked, response) => {
    const count = textsOf(asked).length
    const data = (): object[] =>
      Array.from({ length: count }, (_, index) => ({ object: 'embedding', index, embedding }))
    const reply = replies.get(count) ?? JSON.stringify({ object: 'list', data: data(), model: 'served' })
    replies.set(count, reply)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(reply)
  }
}

/** @returns the peak of a run in MiB. */
async function peak(dimensions: number, count: number, argv: (lines: string) => string[]): Promise<number> {
  const lines = join(folder, `${count}.txt`)
  writeFileSync(lines, Array.from({ length: count }, (_, number) => `the text with number ${number}\n`).join(''))
  await using service = await startService(answering(dimensions))
  const input = openSync(lines, 'r')
  const options = ['embed', '-m', model, '--lines', ...argv(lines)]
  const { code, err } = await startSyn(options, measured(environment(service)), [input, 'ignore', 'pipe']).ended
  closeSync(input)
  const result = splitPeak(err)
  expect({ code, err: result.err }).toEqual({ code: 0, err: '' })
  return result.peak
}

describe('ten times as many texts need less than twice as much', () => {
  test.each<[title: string, argv: (lines: string) => string[]]>([
    ['JSON Lines, of a file', (lines) => ['--no-stdin', '-f', lines, '--with-text']],
    ['CSV, of standard input', () => ['--format', 'csv']],
  ])('%s', async (_title, argv) => {
    const dimensions = 16
    const few = 30_000
    expect(await peak(dimensions, 10 * few, argv)).toBeLessThan(2 * (await peak(dimensions, few, argv)))
  })
})

test.each(['jsonl', 'csv'])('1,024 dimensions need at most 200 MiB: %s', async (format) => {
  const argv = (lines: string): string[] => ['--no-stdin', '-f', lines, '--format', format]
  expect(await peak(1_024, 20_000, argv)).toBeLessThanOrEqual(200)
})
