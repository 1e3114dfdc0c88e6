/** Standard output and standard error in one file: errors and notices begin a line of their own. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cut, end, streamed } from '../helpers/chat-chunks.ts'
import { environment, shell } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { startService, type Answer } from '../helpers/service.ts'

const cutShort = 'syn: the answer was cut short: the stream ended before the answer was complete\n'

/** Runs a line in a shell; in it, `log` is the path of a file that does not exist. */
async function answered(line: string, answer: Answer): Promise<{ out: string; err: string; log: string }> {
  await using service = await startService(answer)
  const log = join(emptyFolder(), 'log')
  const { out, err } = await shell(line, { ...environment(service), log })
  return { out, err, log: readIfThere(log) }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

describe('an error after an answer that stops within a line', () => {
  test.each(['syn chat hi > "$log" 2>&1', 'syn chat hi 2>&1 | tee "$log" > /dev/null'])('%s', async (line) => {
    expect((await answered(line, cut('Hel'))).log).toBe(`Hel\n${cutShort}`)
  })

  test.each([
    ['syn chat hi > "$log" 2>&1', 'Hel\n', `Hel\n${cutShort}`],
    ['syn chat --jsonl hi 2>&1 | tail -n 1 > "$log"', 'Hel', cutShort],
  ])('%s: no blank line after a whole line', async (line, text, log) => {
    expect((await answered(line, cut(text))).log).toBe(log)
  })
})

test('a notice after a whole answer', async () => {
  const { log } = await answered('syn chat hi > "$log" 2>&1', streamed('Hel', end('length')))
  expect(log).toMatch(/^Hel\nsyn: the answer was cut off: .*\n/)
})

test('in two files the output is exact', async () => {
  expect(await answered('syn chat hi 2> "$log"', cut('Hel'))).toEqual({ out: 'Hel', err: '', log: cutShort })
})
