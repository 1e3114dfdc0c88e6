/** The current branch of a conversation, also from damaged files. */

import { describe, expect, test } from 'vitest'
import { Conversation, branchMessages } from '../../src/conversation/conversation.ts'
import type { Entry } from '../../src/conversation/entry.ts'
import { maxResultImages, resultImagesMessage } from '../../src/conversation/message.ts'

const at = '2026-11-21T10:00:00.000Z'

/** Entries in short notation: `q1`, `q2<a1`, `a1<q1`, `a1+text` for a part, `a1.text` for an end, `a1!text` for a cut. */
function entryOf(brief: string): Entry {
  const [, id = '', sign = '', rest = ''] = /^(\w+)([<+.!]?)(.*)$/.exec(brief) ?? []
  const choices = [{ index: 0, message: { role: 'assistant', content: rest }, finish_reason: null }]
  if (sign === '+') return { type: 'part', answer: id, deltas: [{ type: 'text', index: 0, text: rest }] }
  if (sign === '.') return { type: 'end', at, answer: id, choices }
  if (sign === '!') return { type: 'end', at, answer: id, choices, error: 'interrupted' }
  if (id.startsWith('a')) return { type: 'answer', at, id, parent: rest, model: `hf:${id}` }
  return { type: 'turn', at, id, ...(rest && { parent: rest }), messages: [{ role: 'user', content: id }] }
}

function conversationOf(brief: string): Conversation {
  return new Conversation('x', brief.split(' ').map(entryOf))
}

test.each([
  ['parts without an end', 'q1 a1<q1 a1+on a1+e', 'q1 one'],
  ['parts of an answer whose start is missing', 'q1 a1+wrong a1.one a1+more', 'q1 one'],
  ['two runs in turns', 'q1 a1<q1 q2 a2<q2 a1+o a2+tw a1+ne a2+o a1.one a2.two', 'q2 two'],
  ['asked again in vain', 'q1 a1<q1 a1.one a2<q1 a2!', 'q1 one'],
  ['the line of an answer is damaged', 'q1 a1+one a1.one q2<a1 a2<q2 a2.two', 'q1 one q2 two'],
  ['the first line is damaged', 'a1<q1 a1.one q2<a1', 'one q2'],
  ['a line twice', 'q1 q1 a1<q1 a1<q1 a1.one', 'q1 one'],
])('the branch of the latest turn: %s', (_what, entries, way) => {
  const messages = branchMessages(conversationOf(entries).path()) as { content: string }[]
  expect(messages.map(({ content }) => content).join(' ')).toBe(way)
})

test.each([
  ['q1 a1<q1 a1.one q2<a1 a2<q2 a2.two', 'hf:a2'],
  ['q1 a1<q1 a1.one q2<a1 a2<q2 a2!', 'hf:a1'],
])('%s continues with %s', (entries, model) => {
  expect(conversationOf(entries).lastModel).toBe(model)
})

test.each([
  [' Say\n\thello  twice ', 'Say hello twice'],
  ['word '.repeat(20), `${'word '.repeat(11)}word…`],
  [`${'x'.repeat(59)}😀😀`, `${'x'.repeat(59)}…`],
  [[{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }], '[image: image/png]'],
  [
    [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: 'https://x.example/a.png' } },
    ],
    'What is this? [image: https://x.example/a.png]',
  ],
  ['see @a.ts\n\nsrc/a.ts:\n```ts\nconst a = 1\n```\n\nb.txt:\n```txt\nb\n```', 'see @a.ts'],
])('%j starts with %j', (content, words) => {
  const messages = [
    { role: 'system', content: 'Be brief' },
    { role: 'user', content },
  ]
  expect(new Conversation('x', [{ type: 'turn', at, id: 't', messages }]).firstWords).toBe(words)
})

const time = (minute: number): string => new Date(Date.UTC(2026, 10, 21, 10, minute)).toISOString()
const [turned, answering, ended] = ['q1', 'a1<q1', 'a1.one'].map((brief, minute) => {
  return { ...entryOf(brief), at: time(minute) } as Entry
}) as [Entry, Entry, Entry]

test.each<[what: string, entries: Entry[], minute: number | undefined]>([
  ['the end of an answer', [turned, answering, ended], 2],
  ['a turn without an answer', [turned], 0],
  ['the start of an answer without an end', [turned, answering, entryOf('a1+one')], 1],
  [
    'neither a name nor what was undone',
    [turned, ended, { type: 'name', at: time(9), name: 'x' }, { type: 'head', at: time(9) }],
    2,
  ],
  ['no invalid time', [turned, { ...ended, at: 'noon' } as Entry], 0],
  ['nothing', [{ type: 'name', at: time(9), name: 'x' }], undefined],
])('the last activity is %s', (_what, entries, minute) => {
  const { lastActivity } = new Conversation('x', entries)
  expect(lastActivity).toBe(minute === undefined ? undefined : Date.parse(time(minute)))
})

describe('what a summary stands for', () => {
  const ids = (nodes: readonly { id: string }[]): string => nodes.map(({ id }) => id).join(' ')
  const entries = 'q1 a1<q1 a1.one q2<a1 a2<q2 a2.two s1 a3<s1 a3.summary q4<a3'.split(' ').map(entryOf)

  test.each([
    ['the branch before it', 'a2', 'q1 a1 q2 a2 s1 a3 q4'],
    ['nothing, as that node is damaged', 'a9', 's1 a3 q4'],
  ])('is %s', (_what, summarizes, history) => {
    const conversation = new Conversation(
      'x',
      entries.map((entry) => (entry.type === 'turn' && entry.id === 's1' ? { ...entry, summarizes } : entry)),
    )
    expect(ids(conversation.path())).toBe('s1 a3 q4')
    expect(ids(conversation.path({ withSummarized: true }))).toBe(history)
  })
})

test.each([
  [1, 1, ['', 'sent', 'sent']],
  [1, 3, ['', '', 'sent']],
  [3, 1, ['sent', 'sent', 'sent']],
])('of images of results, the latest are sent, up to 5 MiB: parts of 1/%i, the last times %i', (part, times, kept) => {
  const size = maxResultImages / 2 / part
  const entries = ['one', 'two', 'three'].flatMap((id, index): Entry[] => {
    const url = `data:image/png;base64,${id}`.padEnd(index === 2 ? Math.min(size * times, maxResultImages) : size, 'A')
    const tool_calls = [{ id, type: 'function', function: { name: 't', arguments: '{}' } }]
    const choices = [{ index: 0, message: { role: 'assistant', content: '', tool_calls }, finish_reason: null }]
    const messages = [{ role: 'tool', tool_call_id: id, content: id }, resultImagesMessage([url])]
    return [
      { type: 'answer', at, id: `a${id}`, parent: `q${index}` },
      { type: 'end', at, answer: `a${id}`, choices },
      { type: 'turn', at, id: `q${index + 1}`, parent: `a${id}`, messages },
    ]
  })
  const path = new Conversation('x', [entryOf('q0'), ...entries]).path()
  const sent = branchMessages(path) as { name?: string; content: unknown }[]
  const images = sent.filter(({ name }) => name === 'tool_results')
  expect(images.map(({ content }) => (Array.isArray(content) ? 'sent' : ''))).toEqual(kept)
})
