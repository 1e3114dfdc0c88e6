/** The chunks of `--jsonl`: byte-exact without a key, and without a key that is split over them. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonLinesPrinter } from '../../src/answer/json-printer.ts'
import { chat } from '../../src/api/chat/operation.ts'
import { messages } from '../../src/api/messages/operation.ts'
import type { JsonObject } from '../../src/io/json/json.ts'
import { minMaskedStart, Secrets } from '../../src/io/secrets/secrets.ts'
import { readAnswer, type Decoder } from '../../src/stream/answer.ts'
import { samples } from '../helpers/samples.ts'
import { leakIn, testKey } from '../helpers/canary.ts'
import { spellings } from '../helpers/key-spellings.ts'

const key = 'sk-te/st+0123456789abcdef'
const secrets = new Secrets()
secrets.add(key)
secrets.add(testKey)

/** Whether a text contains a key, or ends with most of one. */
function hasKeyIn(text: string): boolean {
  return secrets.maskCut(text, minMaskedStart) !== text
}

/** What is printed after each chunk, and at the end. */
async function printed(chunks: readonly string[], decoder: Decoder = chat.createDecoder()): Promise<string[]> {
  const writes: string[] = []
  let text = ''
  const write = (one: string | Uint8Array): Promise<void> => Promise.resolve(void (text += String(one)))
  const printer = jsonLinesPrinter({ isTerminal: false, columns: () => 80, write }, secrets)
  const bytes = (async function* (): AsyncGenerator<Uint8Array> {
    for (const chunk of [...chunks, '[DONE]']) yield Buffer.from(`data: ${chunk}\n\n`)
  })()
  const options = { withChunks: true, choiceCount: 1, secrets }
  try {
    for await (const deltas of await readAnswer('text/event-stream', bytes, decoder, options)) {
      await printer.print(deltas)
      writes.push(text)
      text = ''
    }
    await printer.finish()
  } catch {
    await printer.interrupt()
  }
  return [...writes, text]
}

function lines(writes: readonly string[]): string[] {
  return writes.join('').split('\n').slice(0, -1)
}

function content(text: string, index = 0): string {
  return JSON.stringify({ choices: [{ index, delta: { content: text } }] })
}

type Name = 'content' | 'reasoning_content' | 'arguments'

function chunk(name: Name, index: number, text: string): string {
  const delta = name === 'arguments' ? { tool_calls: [{ index: 1, function: { arguments: text } }] } : { [name]: text }
  const logprobs = { content: [{ token: text, logprob: -1 }] }
  return JSON.stringify({ id: 'a', choices: [{ index, delta, ...(name === 'content' && { logprobs }) }] })
}

/** The strings of each name and place. */
function textsOf(chunks: readonly string[]): Map<string, string> {
  const texts = new Map<string, string>()
  const add = (name: string, text: unknown): void => {
    if (typeof text === 'string') texts.set(name, (texts.get(name) ?? '') + text)
  }
  for (const { choices } of chunks.map((one) => JSON.parse(one) as { choices: JsonObject[] })) {
    for (const { index, delta, logprobs } of choices as Record<string, never>[]) {
      for (const [name, value] of Object.entries(delta ?? {})) add(`${String(index)} ${name}`, value)
      add(`${String(index)} arguments`, (delta as never as Calls).tool_calls?.[0]?.function.arguments)
      add(`${String(index)} token`, (logprobs as Tokens | undefined)?.content[0]?.token)
    }
  }
  return texts
}

interface Calls {
  tool_calls?: { function: { arguments: string } }[]
}

interface Tokens {
  content: { token: string }[]
}

const order = fc.array(
  fc.tuple(fc.constantFrom<Name>('content', 'reasoning_content', 'arguments'), fc.nat({ max: 1 }), fc.nat({ max: 30 })),
  { minLength: 1, maxLength: 60 },
)

test.each(Object.entries(spellings))(
  'a key %s, over chunks of several choices and kinds',
  async (_spelling, spelled) => {
    const written = `is ${JSON.parse(`"${spelled}"`) as string} or sk-ca`
    await fc.assert(
      fc.asyncProperty(order, fc.boolean(), async (pieces, hasKey) => {
        const source = hasKey ? written : written.replace('2', '.')
        const next = new Map<string, number>()
        const chunks = pieces.map(([name, index, size]) => {
          const at = next.get(`${name}${index}`) ?? 0
          next.set(`${name}${index}`, at + size)
          return chunk(name, index, source.slice(at, at + size))
        })
        const given = lines(await printed(chunks))
        const before = textsOf(chunks)
        if (![...before.values()].some(hasKeyIn)) expect(given).toEqual(chunks)
        expect(given).toHaveLength(chunks.length)
        for (const [name, text] of textsOf(given)) {
          const whole = before.get(name) ?? ''
          if (!hasKeyIn(whole)) expect(text).toBe(whole)
          else expect(leakIn(text)).toBeUndefined()
        }
      }),
      samples(15),
    )
  },
)

test('chunks pass byte-exact, whatever their strings', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.string(), fc.constantFrom('s', 'sk-te/s', 'a\\', '\\u007'))),
      async (texts) => {
        const chunks = texts.map((text, at) => content(text).replace('"index":0', `"index": 0, "n": ${at}.0`))
        expect(lines(await printed(chunks))).toEqual(chunks)
      },
    ),
    samples(15),
  )
})

test('a chunk that ends with fewer than 8 characters of the key passes at once', async () => {
  const chunks = ['a sk-te/s', 'x', 's'].map((text) => content(text))
  expect(await printed(chunks)).toEqual([...chunks.map((one) => `${one}\n`), ''])
})

test('a chunk that ends with 8 characters of the key is held back, with the chunks after it', async () => {
  const chunks = [content('a sk-te/st'), content('other', 1), content('ring')]
  expect(await printed(chunks)).toEqual(['', '', `${chunks.join('\n')}\n`, ''])
})

test('the mask replaces the first part that is held back, and the others are removed', async () => {
  const chunks = ['a sk-', 'te/st+0', '12345678', '9abcdef.'].map((text) => content(text))
  expect(lines(await printed(chunks))).toEqual(['a sk-', '[key]', '', '.'].map((text) => content(text)))
})

test('held chunks are printed at the end of their choice, and of the answer', async () => {
  const end = '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}'
  const start = content('sk-te/st')
  expect(await printed([start, end, content('x', 1)])).toEqual(['', `${start}\n${end}\n`, `${content('x', 1)}\n`, ''])
  expect(await printed([start])).toEqual(['', `${start}\n`])
})

test('of a key that is cut off, 12 characters are masked', async () => {
  const end = '{"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}'
  const cut = ['a sk-te/st', '+012'].map((text) => content(text))
  const masked = ['a [key]', ''].map((text) => content(text))
  expect(lines(await printed(cut))).toEqual(masked)
  expect(lines(await printed([...cut, end, content('x', 1)]))).toEqual([...masked, end, content('x', 1)])
  expect(lines(await printed([...cut, '{"error":"broken"}']))).toEqual(masked)
  const other = Array.from({ length: 11 }, () => content('x'.repeat(100_000), 1))
  expect(lines(await printed([...cut, ...other]))).toEqual([...masked, ...other])
})

test('held chunks are printed before an error', async () => {
  expect(await printed([content('sk-te/st'), '{"error":"broken"}'])).toEqual(['', `${content('sk-te/st')}\n`])
})

test('held chunks are bounded', async () => {
  const chunks = [content('sk-te/st'), ...Array.from({ length: 30 }, () => content('x'.repeat(100_000), 1))]
  const writes = await printed(chunks)
  expect(lines(writes)).toEqual(chunks)
  expect(writes.findIndex((one) => one !== '')).toBeLessThan(15)
})

test('a key in the blocks of a message', async () => {
  const delta = (type: string, name: string, text: string): string =>
    JSON.stringify({ type: 'content_block_delta', index: 1, delta: { type, [name]: text } })
  const start = { type: 'content_block_start', index: 1, content_block: { type: 'text', text: 'sk-te/st' } }
  const chunks = [
    JSON.stringify(start),
    delta('input_json_delta', 'partial_json', '{"a":"\\u0073k-te/st'),
    delta('text_delta', 'text', '+0123456789abcdef'),
    delta('input_json_delta', 'partial_json', '+0123456789abcdef"}'),
  ]
  expect(lines(await printed(chunks, messages.createDecoder(true)))).toEqual([
    JSON.stringify({ ...start, content_block: { type: 'text', text: '[key]' } }),
    delta('input_json_delta', 'partial_json', '{"a":"[key]'),
    delta('text_delta', 'text', ''),
    delta('input_json_delta', 'partial_json', '"}'),
  ])
})
