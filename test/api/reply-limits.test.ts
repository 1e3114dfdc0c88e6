/** No reply fills the memory: what syn must hold of one has a limit, beyond which the request ends. */

import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { receive } from '../../src/answer/send.ts'
import { Answer } from '../../src/stream/answer.ts'
import type { Delta } from '../../src/stream/delta.ts'
import { ReplyBudget } from '../../src/stream/reply-budget.ts'
import { mebibyte } from '../helpers/large.ts'
import { readReply } from '../helpers/reading.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { type Answer as Reply, events, startService } from '../helpers/service.ts'
import { expectEnded, small, types } from './endless-replies.ts'

describe('an endless reply ends the run:', () => {
  test.each(small)('%s', async (...row) => expectEnded(row))
})

describe('what is kept of an answer', () => {
  const text = 'x'.repeat(mebibyte)
  const index = 0
  const other: Delta = { type: 'text', index: 1, text }

  test.each<[keeps: 'texts' | 'nothing', string, Delta, isKept: boolean]>([
    ['nothing', 'text', { type: 'text', index, text }, false],
    ['nothing', 'text of another choice', other, true],
    ['nothing', 'a refusal', { type: 'refusal', index, text }, true],
    ['nothing', 'arguments of a tool', { type: 'tool', index, call: 0, arguments: text }, true],
    ['texts', 'thinking blocks', { type: 'thinking', index, number: 1, block: { thinking: text } }, true],
    ['texts', 'a chunk', { type: 'chunk', text }, false],
  ])('%s: %s', (keeps, _what, delta, isKept) => {
    const answer = new Answer({ budget: new ReplyBudget(), keepsTexts: keeps === 'texts' })
    answer.add([{ type: 'text', index, text: '' }])
    for (let count = 0; count < 63; count++) answer.add([delta])
    answer.checkSize()
    answer.add([delta, delta])
    const beyond = (): void => answer.checkSize()
    if (isKept) expect(beyond).toThrow('the answer is larger than the limit of 64 MiB')
    else expect(beyond).not.toThrow()
  })

  test('JSON, which has the texts, too', () => {
    const kept = { size: 0, build: () => ({}) }
    const answer = new Answer({ budget: new ReplyBudget() })
    answer.add([{ type: 'json', kept }])
    for (let count = 0; count < 65; count++) answer.add([other])
    kept.size = 63 * mebibyte
    answer.checkSize()
    kept.size += 2 * mebibyte
    expect(() => answer.checkSize()).toThrow('the answer is larger than the limit of 64 MiB')
  })
})

test('chunks of many small values count for more than their characters', async () => {
  const text = `{"a":[${'[],'.repeat(500)}0]}`
  const { kept } = await readReply('chat', [Buffer.from(`data: ${text}\n\n`.repeat(100))])
  expect(kept?.size).toBe(100 * 16 * 1003)
})

test('what goes beyond the limit is recorded and shown', async () => {
  const taken: string[] = []
  const take = (how: string) => () => Promise.resolve(void taken.push(how))
  const reads = (async function* (): AsyncGenerator<Delta[]> {
    yield [{ type: 'text', index: 0, text: 'x'.repeat(65 * mebibyte) }]
  })()
  const answer = new Answer({ budget: new ReplyBudget() })
  const receiving = receive(reads, { record: take('recorded'), answer, show: take('shown') })
  await expect(receiving).rejects.toThrow('the answer was cut short: the answer is larger than the limit of 64 MiB')
  expect(taken).toEqual(['recorded', 'shown'])
})

test('answers that arrive at the same time share a limit, until they end', () => {
  const budget = new ReplyBudget()
  const text = 'x'.repeat(60 * mebibyte)
  const start = (): Answer => {
    const answer = new Answer({ budget })
    answer.add([{ type: 'text', index: 0, text }])
    answer.checkSize()
    return answer
  }
  const answers = [start(), start(), start(), start()]
  expect(start).toThrow('the replies that arrive at the same time are larger than the limit of 256 MiB')
  for (const answer of answers.slice(0, 2)) answer[Symbol.dispose]()
  expect(start).not.toThrow()
})

function raw(type: string, body: string): Reply {
  return (_asked, response) => {
    response.writeHead(200, { 'content-type': type })
    response.end(body)
  }
}

test.each<[argv: string[], key: string, limit: number]>([
  [['embed', '-m', 'hf:m', 'hi'], 'data', 1_048_576],
  [['chat', '--no-stream', 'hi'], 'choices', 1_048_576],
  [['chat', '--jsonl', 'hi'], 'choices', 131_072],
])('a reply of many small values: %j', async (argv, key, limit) => {
  // An empty list counts twice.
  const reply = `{"${key}":[${'[],'.repeat(limit / 2)}0]}`
  const answer = argv.includes('--jsonl') ? raw(types.events, `data: ${reply}\n\n`) : raw(types.json, reply)
  await using service = await startService(answer)
  const { code, err } = await runSyn([...argv, '--retries', '0'], { env: service.env })
  expect({ code, err }).toEqual({ code: 6, err: `syn: the service sent JSON with more than ${limit} values\n` })
})

test('a long message of an error is cut', async () => {
  const body = JSON.stringify({ error: { message: 'x'.repeat(mebibyte) } })
  await using service = await startService(events(`event: error\ndata: ${body}\n\n`))
  const { code, err } = await runSyn(['chat', 'hi', '--retries', '0'], { env: service.env })
  expect({ code, length: err.length }).toEqual({ code: 6, length: 'syn: \n'.length + 64 * 1024 })
})

/** Blanks, which gzip makes a thousandth of, compressed as often as told. */
function bomb(times: number): Buffer {
  let bytes: Buffer = gzipSync(Buffer.alloc(4 * mebibyte, ' '))
  for (let time = 1; time < times; time++) bytes = gzipSync(bytes)
  return bytes
}

test.each<[encoding: string, times: number, argv: string[], message: RegExp]>([
  ['gzip, gzip', 2, ['chat', 'hi'], /is compressed more than 1,000 to 1/],
  ['gzip, gzip, gzip', 3, ['chat', 'hi'], /an unsupported content encoding: gzip, gzip, gzip/],
])('a reply that is compressed far more than text can be: %s, %i times, %j', async (encoding, times, argv, message) => {
  await using service = await startService((_asked, response) => {
    response.writeHead(200, { 'content-type': types.json, 'content-encoding': encoding })
    response.end(bomb(times))
  })
  const { code, err } = await runSyn([...argv, '--retries', '0'], { env: service.env })
  expect({ code, err }).toEqual({ code: 6, err: expect.stringMatching(message) as string })
})

test('a record that multiplies its longest name', async () => {
  const rows = Array.from({ length: 4000 }, (_, at) => `"k${at}":1`).join()
  await using service = await startService(raw(types.json, `{"${'k'.repeat(200_000)}":{${rows}}}`))
  const { code, out } = await runSyn(['quota'], { env: service.env })
  const lines = out.trimEnd().split('\n')
  expect({ code, lines: lines.length }).toEqual({ code: 0, lines: 4000 })
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(300)
})
