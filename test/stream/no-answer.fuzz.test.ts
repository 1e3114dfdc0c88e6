/** What stands in the text of an answer and is none: reasoning, and with tools offered, calls and markers at its end. */

import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { delta, end } from '../helpers/chat-chunks.ts'
import { fixture, streamNames } from '../helpers/fixtures.ts'
import { readReply, summarize } from '../helpers/reading.ts'
import { samples, share } from '../helpers/samples.ts'
import { chatEvents } from '../helpers/service.ts'

const kimi3 = (name: string, content: string): string =>
  `<|open|>tools<|sep|><|open|>call tool="${name}" index="1"<|sep|>${content}<|close|>call<|sep|><|close|>tools<|sep|>`
const typed = (key: string, type: string, value: string): string =>
  `<|open|>argument key="${key}" type="${type}"<|sep|>${value}<|close|>argument<|sep|>`
const kimi2 = (name: string, json: string): string =>
  `<|tool_calls_section_begin|><|tool_call_begin|>${name}<|tool_call_argument_begin|>${json}<|tool_call_end|><|tool_calls_section_end|>`
const qwen = (name: string, json: string): string =>
  `<tool_call>\n{"name": "${name}", "arguments": ${json}}\n</tool_call>`

const oslo = 'weather {"city":"Oslo"}'

/** The text of an answer that has tools, and what it is taken for. */
const spelled: [text: string, ...summary: string[]][] = [
  [kimi3('weather', typed('city', 'string', 'Oslo')), oslo],
  [
    kimi3(
      'w.x-y_1',
      `${typed('a', 'number', '12345678901234567890')}${typed('b', 'null', 'null')}${typed('c', 'array', '[1, 2]')}`,
    ),
    'w.x-y_1 {"a":12345678901234567890,"b":null,"c":[1, 2]}',
  ],
  [kimi3('w', typed('a&quot;b', 'string', '<p>"1" &amp; \n2</p>')), 'w {"a\\"b":"<p>\\"1\\" &amp; \\n2</p>"}'],
  [kimi3('w', ''), 'w {}'],
  // The tool says what does not fit.
  [kimi3('w', typed('days', 'number', 'two')), 'w {"days":"two"}'],
  [kimi3('w', 'city: Oslo'), 'w {'],
  [kimi3('w', '<|open|>json type="object"<|sep|>{"a":[1]}<|close|>json<|sep|>'), 'w {"a":[1]}'],
  [kimi2('functions.weather:0', '{"city":"Oslo"}'), oslo],
  [kimi2('weather:12', '{"city":"Oslo"}'), oslo],
  [kimi2(' functions.weather:0 ', ' {"city":"Oslo"} ').replaceAll('><', '> <'), 'weather  {"city":"Oslo"} '],
  [kimi2('weather:0', JSON.stringify('{"city":"Oslo"}')), oslo],
  [kimi2('w:0', '{broken'), 'w {broken'],
  [qwen('weather', '{"city": "Oslo"}'), oslo],
  [qwen('weather', JSON.stringify('{"city":"Oslo"}')), oslo],
  [qwen('w', '{"id": 12345678901234567890}'), 'w {"id":12345678901234567890}'],
  ['<tool_call>{"name":"w"}</tool_call>', 'w {}'],
  ['<tool_call>{"arguments": {"city": "Oslo"}, "name": "weather"}</tool_call>', oslo],
  [`${qwen('a', '{}')}\n${qwen('b', '{}')}\n`, 'a {}', 'b {}'],
  [`${kimi2('a:0', '{}').replace('<|tool_calls_section_end|>', '')}${kimi2('b:1', '{}')}`, 'a {}', 'b {}'],
  [`Let me look.\n\n${qwen('weather', '{"city":"Oslo"}')}`, 'text Let me look.\n\n', oslo],
  [`Hi.<|close|>response<|sep|>${kimi3('w', '')}<|close|>message<|sep|>\n`, 'text Hi.', 'w {}'],
  [`<|open|>think<|sep|>Hm.<|close|>think<|sep|>${kimi3('w', '')}`, 'text <|open|>think<|sep|>Hm.', 'w {}'],
  [`<think>Hm.</think>\n${qwen('w', '{}')}`, 'reasoning Hm.', 'w {}'],
  [`\`\`\`\nx\n\`\`\`\n${qwen('w', '{}')}`, 'text ```\nx\n```\n', 'w {}'],
  [`<tool_call> and {\n${qwen('w', '{}')}`, 'text <tool_call> and {\n', 'w {}'],
  // Cut: what came is no whole object, so that it is not run.
  ['<tool_call>\n{"name": "w", "arguments": {"a": 1}', 'w \n{"name": "w", "arguments": {"a": 1}'],
  [kimi3('w', typed('a', 'number', '1')).replace(/<\|close\|>call.*/, ''), 'w {"a":1'],
  ['<|tool_calls_section_begin|><|tool_call_begin|>functions.wea', 'wea {'],
  ['Hi.\n<|open|>tools<|sep|><|open|>call to', 'text Hi.\n'],
  ['Hi.\n<tool_call>\n{"na', 'text Hi.\n'],
  // Markers at the end.
  ['7 degrees.<|close|>message<|sep|>', 'text 7 degrees.'],
  ['7 degrees.<|im_end|>\n<|im_end|>', 'text 7 degrees.'],
  ['7 degrees.<|close|>mess', 'text 7 degrees.'],
  ['```\n7\n```\n<|tool_calls_section_end|>', 'text ```\n7\n```\n'],
]

/** The same with and without tools. */
const reasoning: [text: string, ...summary: string[]][] = [
  ['<think>Hm.\n</think>\n\nSeven.', 'reasoning Hm.\n', 'text Seven.'],
  [' \n<think>\n\n1 < 2 </thin</think>Seven.', 'reasoning 1 < 2 </thin', 'text Seven.'],
  ['<think>\n\n</think>\n\nSeven.', 'text Seven.'],
  ['</think>\n\nSeven.', 'text Seven.'],
  ['<think>Hm.', 'reasoning Hm.'],
  ['<think>Hm.</thi', 'reasoning Hm.</thi'],
  ['<think>\n'],
  ['<thin', 'text <thin'],
  ['\n\n', 'text \n\n'],
]

const qwenText = qwen('weather', '{"city": "Oslo"}')

/** Text with and without tools: prose, code and XML. */
const plain = [
  'F# writes `f <| x`, and pipes with `x |> f`.',
  'let y =\n<|\n    x',
  'a <| b <|> c <|close| d',
  'Is 1 < 2 <',
  '<',
  'The end is `<|close|>message<|sep|>`',
  '`<|im_end|>` ends a turn of ChatML; <|im_end|> is a token.',
  '<|im_start|>user\nHi<|im_end|>\nis ChatML.',
  '<|open|>tools<|sep|> opens the calls of Kimi K3.',
  `${kimi3('weather', typed('city', 'string', 'Oslo'))} is a call.`,
  `${kimi2('weather:0', '{}')}\n\nis how Kimi K2 calls.`,
  `${qwenText}\nis how Qwen calls.`,
  `Look:\n\n~~~~xml\n${qwenText}\n~~~\n${qwenText}`,
  `1. Look:\n\n   \`\`\`\n${qwenText}`,
  `> \`\`\`xml\n${qwenText}`,
  `So: ${qwenText}`,
  `\`${qwenText}\` is code.`,
  '<tool_call>NAME</tool_call>',
  '<tool_call>\n{"tool": "weather"}\n</tool_call>\n',
  '<tool_calls>\n<tool name="a"/>\n</tool_calls>',
  '<?xml version="1.0"?>\n<t:tool_call xmlns:t="urn:x"><name/></t:tool_call>',
  '```\n<think>\nHm.\n</think>\n```\n',
  'First: <think>Hm.</think> Seven.',
  '`</think>` ends it.',
  '<thinking>Hm.</thinking>',
  '#include <t>\n#include <tool_call.h>\n',
  '<table>\n<tr><td>|></td></tr>\n</table>',
]

type Example = { readonly markdown: string; readonly html: string }

const { tests: examples } = createRequire(import.meta.url)('commonmark-spec') as { tests: readonly Example[] }

async function summary(pieces: readonly string[], hasTools: boolean | undefined, reason = 'stop'): Promise<string[]> {
  const chunks = chatEvents(...pieces.map((piece) => delta(piece)), end(reason))
  const lines = summarize(await readReply('chat', [Buffer.from(chunks)], 'text/event-stream', hasTools))
  return lines.filter((line) => !/^(from|end) /.test(line)).map((line) => line.replace(/^tool \d+ call_\d+ /, ''))
}

const cases = [...spelled.map(([text]) => text), ...reasoning.map(([text]) => text), ...plain]

describe('with tools', () => {
  test.each(spelled)('%j', async (text, ...expected) => {
    expect(await summary([text], true)).toEqual(expected)
    // The text of a completion is whatever the model writes.
    expect(await summary([text], undefined)).toEqual([`text ${text}`])
  })
})

test.each(spelled.filter(([text]) => !text.startsWith('<think>')))('without tools, %j is text', async (text) => {
  expect(await summary([text], false)).toEqual([`text ${text}`])
})

test.each([true, false])('with tools: %s: reasoning at the start is no text', async (hasTools) => {
  for (const [text, ...expected] of reasoning) expect(await summary([text], hasTools)).toEqual(expected)
})

test.each([true, false])('with tools: %s: prose, code and XML are shown as they came', async (hasTools) => {
  for (const text of plain) expect(await summary([text], hasTools)).toEqual([`text ${text}`])
  for (const { markdown, html } of share(examples, 0, 8)) {
    expect(await summary([markdown], hasTools)).toEqual([`text ${markdown}`])
    if (html !== '') expect(await summary([...html], hasTools)).toEqual([`text ${html}`])
  }
})

test.each([true, false])('with tools: %s: where a text is cut makes no difference', async (hasTools) => {
  for (const text of cases) expect(await summary([...text], hasTools)).toEqual(await summary([text], hasTools))
  const anyText = fc.array(fc.constantFrom(...cases, '\n', '\n```\n', ' ', '<|', 'x'), { maxLength: 4 })
  const property = fc.asyncProperty(
    anyText,
    fc.array(fc.nat({ max: 400 }), { maxLength: 9 }),
    async (parts, places) => {
      const text = parts.join('')
      if (text === '') return
      const edges = [0, ...places.filter((at) => at < text.length).toSorted((a, b) => a - b), text.length]
      const pieces = edges.slice(1).map((edge, at) => text.slice(edges[at], edge))
      expect(await summary(pieces, hasTools)).toEqual(await summary([text], hasTools))
    },
  )
  await fc.assert(property, samples(200))
})

test('no part of a call that is cut anywhere is shown, and none is run', async () => {
  for (const call of [
    kimi3('w', typed('a', 'string', 'rm -r /tmp/x')),
    kimi2('w:0', '{"a":"x"}'),
    qwen('w', '{"a":"x"}'),
  ]) {
    const last = call.lastIndexOf('<|') > 0 ? call.lastIndexOf('<|close|>call') : call.length
    for (let length = '<|tool'.length; length < call.length; length++) {
      const [found, ...more] = await summary([call.slice(0, length)], true, 'length')
      expect(more).toEqual([])
      if (found !== undefined) expect(found).not.toMatch(/^text/)
      if (found !== undefined && length < last && call.startsWith('<|open')) expect(found).not.toMatch(/\}$/)
    }
  }
})

test('what a service has read and left in the text is not called twice', async () => {
  const call = { index: 0, id: 'call_a', function: { name: 'w', arguments: '{}' } }
  const chunks = chatEvents(delta(qwen('w', '{}')), delta({ tool_calls: [call] }), end('tool_calls'))
  const reading = await readReply('chat', [Buffer.from(chunks)], 'text/event-stream', true)
  expect(summarize(reading)).toEqual(['from served', 'tool 0 call_a w {}', 'end tool_calls'])
})

test('a long argument takes no longer for each piece of it', async () => {
  const pieces = Array.from({ length: 20_000 }, () => 'abcdefgh')
  const started = performance.now()
  const [found] = await summary(['<tool_call>{"name":"w","arguments":{"a":"', ...pieces, '"}}</tool_call>'], true)
  expect(found?.length).toBeGreaterThan(160_000)
  expect(performance.now() - started).toBeLessThan(5000)
})

describe('recorded streams', () => {
  const weather = 'tool 1048576 call_0 weather {"city":"Oslo"'
  const expected: Record<string, string[]> = {
    'called-as-text': ['text Let me look.\n', `${weather},"days":2}`],
    'called-as-text-json': [`${weather},"days":2}`],
    'called-as-text-kimi2': [`${weather}}`],
    'called-as-text-qwen': [`${weather}}`],
    'marker-behind-answer': ['text It is 7 degrees.'],
    'think-in-content': ['reasoning The user wants a number.\n', 'text {"n":2,"s":"y"}'],
    'lone-think-end': ['text Seven.'],
  }

  test.each(Object.entries(expected))('%s', async (name, lines) => {
    const bytes = fixture(name, 'no-answer')
    const all = ['from acme/large-5', ...lines, 'end stop', 'used 120+30']
    expect(summarize(await readReply('chat', [bytes], 'text/event-stream', true))).toEqual(all)
    const reads = Array.from(bytes, (byte) => Uint8Array.of(byte))
    expect(summarize(await readReply('chat', reads, 'text/event-stream', true))).toEqual(all)
  })

  test.each(streamNames('no-answer'))('%s: JSON and chunks are the service’s own', async (name) => {
    const bytes = [fixture(name, 'no-answer')]
    const [taken, passed] = [await readReply('chat', bytes, undefined, true), await readReply('chat', bytes)]
    expect(taken.kept?.build()).toEqual(passed.kept?.build())
    expect(taken.chunks).toEqual(passed.chunks)
  })

  test('about-calls is text', async () => {
    const bytes = [fixture('about-calls', 'no-answer')]
    const [taken, passed] = [await readReply('chat', bytes, undefined, true), await readReply('chat', bytes)]
    expect(summarize(taken)).toEqual(summarize(passed))
  })
})
