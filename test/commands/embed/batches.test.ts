/** Many texts are sent in several requests, with one output. */

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { embed, linesOf, textsOf, wellBehaved, type EmbedOptions } from '../../helpers/embed.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { json, type Answer } from '../../helpers/service.ts'

const numbers = Array.from({ length: 10 }, (_, number) => String(number))
const stdin = numbers.map((number) => `${number}\n`).join('')

/** Requests run at the same time, so a later one may arrive first. */
function inOrder(requests: readonly string[][], texts: readonly string[]): string[][] {
  return requests.toSorted(([a = ''], [b = '']) => texts.indexOf(a) - texts.indexOf(b))
}

describe('a request holds', () => {
  test.each<[title: string, texts: string[], sizes: number[]]>([
    ['64 short texts', Array.from({ length: 130 }, (_, number) => `short ${number}`), [64, 64, 2]],
    ['100,000 characters', Array.from({ length: 5 }, (_, number) => String(number).repeat(40_000)), [2, 2, 1]],
    ['a longer text alone', ['a', 'x'.repeat(200_000), 'b', 'c'], [1, 1, 2]],
  ])('%s', async (_title, texts, sizes) => {
    const { asked, out } = await embed(['--input-format', 'jsonl'], {
      stdin: texts.map((text) => JSON.stringify(text)).join('\n'),
    })
    const sent = inOrder(asked.map(textsOf), texts)
    expect(sent.map(({ length }) => length)).toEqual(sizes)
    expect(sent.flat()).toEqual(texts)
    expect(linesOf(out).map(({ index }) => index)).toEqual(texts.map((_, index) => index))
  })

  test('as many as --batch-size says', async () => {
    const { asked } = await embed(['--lines', '--batch-size', '4'], { stdin })
    expect(inOrder(asked.map(textsOf), numbers)).toEqual([
      ['0', '1', '2', '3'],
      ['4', '5', '6', '7'],
      ['8', '9'],
    ])
  })
})

/** Answers all requests but the first in reverse order: the second waits for the third, the third for the fourth. */
function reversed(last: number): (request: number) => Answer {
  const done = new Map<number, () => void>()
  const promises = new Map(
    Array.from({ length: last + 1 }, (_, request) => [
      request,
      new Promise<void>((resolve) => done.set(request, resolve)),
    ]),
  )
  return (request) => async (asked, response) => {
    if (request > 1 && request < last) await promises.get(request + 1)
    await wellBehaved(asked, response)
    done.get(request)?.()
  }
}

test('replies out of order are written in order', async () => {
  const { code, out } = await embed(['--lines', '--with-text', '--batch-size', '2'], { stdin, answer: reversed(5) })
  expect(code).toBe(0)
  expect(linesOf(out).map(({ index, text }) => [index, text])).toEqual(numbers.map((text, index) => [index, text]))
})

describe('a failure after part of the output', () => {
  const argv = ['--lines', '--batch-size', '2', '--retries', '0']
  const failing: EmbedOptions = {
    stdin,
    answer: (request) => (request === 3 ? json({ error: 'no such luck' }, 500) : wellBehaved),
  }
  const cut = 'syn: cut short after 4 of 10 texts: no such luck (500 Internal Server Error)\n'

  /** Refuses what a real server refuses. */
  const refusing = (text: string, refusal: Answer) => (): Answer => (asked, response) =>
    (textsOf(asked).includes(text) ? refusal : wellBehaved)(asked, response)

  test('one text is too long: no retries, and its line', async () => {
    const message = 'input (3000 tokens) is too large to process'
    const answer = refusing('5', json({ error: { code: 500, message } }, 500))
    const { code, out, err } = await embed(['--lines', '--batch-size', '2'], { stdin, answer })
    const hint = 'hint: the request contained standard input, line 6\n'
    expect({ code, err }).toEqual({
      code: 7,
      err: `syn: cut short after 5 of 10 texts: ${message} (500 Internal Server Error)\n${hint}`,
    })
    expect(linesOf(out)).toHaveLength(5)
  })

  test('what the service refuses for all texts is not asked for each', async () => {
    const { code, asked } = await embed(['--lines'], { stdin, answer: () => json({ error: 'bad dimensions' }, 400) })
    expect({ code, requests: asked.length }).toEqual({ code: 1, requests: 2 })
  })

  test('the part received is a valid table', async () => {
    const folder = emptyFolder()
    const { code, err } = await embed([...argv, '--format', 'csv', '-o', join(folder, 'e')], failing)
    expect({ code, err }).toEqual({
      code: 7,
      err: `${cut}hint: the output so far is kept in ${join(folder, 'e.partial')}\n`,
    })
    expect(readdirSync(folder)).toEqual(['e.partial'])
    expect(readFileSync(join(folder, 'e.partial'), 'utf8').trimEnd().split('\n')).toHaveLength(1 + 4)
  })

  test('the error names the texts', async () => {
    const answer = refusing('', json({ error: '$.input' }, 400))
    const { err } = await embed(argv, { stdin: stdin.replace('5\n', '\n'), answer })
    expect(err).toBe(
      'syn: cut short after 5 of 10 texts: $.input (400 Bad Request)\n' +
        'hint: the request contained standard input, line 6; ' +
        'standard input, line 6 is blank; not every model accepts blank texts\n',
    )
  })
})

test('only the request that failed temporarily is retried', async () => {
  const answer: EmbedOptions['answer'] = (request) => (request === 2 ? json({ error: 'busy' }, 503) : wellBehaved)
  const { code, out, asked } = await embed(['--lines', '--batch-size', '5', '-q'], { stdin, answer })
  expect({ code, rows: linesOf(out).length, requests: asked.length }).toEqual({ code: 0, rows: 10, requests: 3 })
})
