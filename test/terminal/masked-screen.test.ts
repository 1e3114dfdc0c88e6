/**
 * A key that becomes readable only by what is done to a text for a terminal: rendered as Markdown, linked, wrapped. It was
 * not found before.
 */

import { expect, test } from 'vitest'
import { delta, end } from '../helpers/chat-chunks.ts'
import { homeWithConversations } from '../helpers/conversations.ts'
import { markdownSpellings } from '../helpers/key-spellings.ts'
import { bare } from '../helpers/markdown.ts'
import { streamed, text, thinking } from '../helpers/messages.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, chatEvents, events, json, startService, type Answer } from '../helpers/service.ts'

/** Not the key of the other tests: its parts are searched for in all that is written and stored, but here they stand as text. */
const key = 'sk-live-abCd34ef/h56ij78'
const spelled = Object.entries(markdownSpellings(key))
const id = '20261121-090000-aaaaaa'

/** Each spelling in a word of its own, and in the blocks of Markdown. */
const written = spelled
  .map(([, one]) => `a ${one} b\n\n# ${one}\n\n- ${one}\n> ${one}\n\n| ${one} | b |\n|---|---|\n| a | ${one} |\n`)
  .join('\n')
const inOneLine = spelled.map(([, one]) => one).join(' ')

interface Place {
  readonly argv: readonly string[]
  readonly answer?: Answer
  readonly HOME?: string
  readonly isRendered?: boolean
}

const pieces = written.match(/.{1,7}/gs) ?? []
const places: Readonly<Record<string, Place>> = {
  'an answer': { argv: ['chat', 'x'], answer: events(chatAnswer([written])), isRendered: true },
  'an answer in pieces': { argv: ['chat', 'x'], answer: events(chatAnswer(pieces)), isRendered: true },
  'an answer that is not streamed': {
    argv: ['chat', 'x', '--no-stream'],
    answer: json({ choices: [{ index: 0, message: { content: written }, finish_reason: 'stop' }] }),
    isRendered: true,
  },
  'an answer as written': { argv: ['chat', 'x', '--raw'], answer: events(chatAnswer([written])) },
  'a message': {
    argv: ['messages', 'x'],
    answer: streamed(thinking(0, written), text(1, written)),
    isRendered: true,
  },
  'a text': { argv: ['complete', 'x'], answer: events(chatEvents({ choices: [{ index: 0, text: written }] })) },
  reasoning: {
    argv: ['chat', 'x', '--reasoning'],
    answer: events(chatEvents(delta({ reasoning_content: written }), delta({ content: 'b' }), end())),
  },
  'a stored answer': {
    argv: ['sessions', 'show', id],
    HOME: homeWithConversations({ id, name: 'x', turns: [[written, written]] }),
    isRendered: true,
  },
  'an error': { argv: ['chat', 'x', '--retries', '0'], answer: json({ error: written }, 400) },
  'a web page': { argv: ['chat', 'x', '--retries', '0'], answer: json(`<p>${written}</p>`, 502) },
  models: { argv: ['models'], answer: json({ data: [{ id: 'hf:a', name: inOneLine }] }) },
  'search results': {
    argv: ['search', 'x'],
    answer: json({ results: [{ url: 'https://a.example', title: inOneLine, text: written }] }),
  },
}

const rich = { FORCE_COLOR: '1', FORCE_HYPERLINK: '1' }
/** In columns of 24, cells of a table are broken. */
const looks: readonly [columns: number, env: Record<string, string>][] = [
  [100, rich],
  [24, { FORCE_COLOR: '1' }],
  [24, { NO_COLOR: '1', FORCE_HYPERLINK: '1' }],
]

/** @returns what is seen, with the words of cells that are broken over lines in one piece. */
function seen(shown: string): string {
  return `${bare(shown)}\n${bare(shown).replaceAll(/[\s│]/g, '')}`
}

test.each(Object.entries(places))('%s', async (_name, { argv, answer = json({}), HOME, isRendered }) => {
  await using service = await startService(answer)
  for (const [columns, look] of looks) {
    const env = { ...service.env, SYN_API_KEY: key, ...look, ...(HOME !== undefined && { HOME }) }
    const { out, err } = await runSyn([...argv], { env, isTerminal: true, columns })
    expect(seen(out)).not.toContain(key)
    expect(seen(err)).not.toContain(key)
    if (isRendered) expect(seen(out)).toContain('[key]')
  }
})

test.each(spelled)('%s, it is replaced by the mask, and the rest is as without it', async (_name, one) => {
  await using service = await startService(events(chatAnswer([`see ${one}, or not`])))
  const { out } = await runSyn(['chat', 'x'], { env: { ...service.env, SYN_API_KEY: key, ...rich }, isTerminal: true })
  expect(bare(out)).toBe('see [key], or not\n')
})

test.each([
  ['percent-encoded', 'https://%73k-live-abcdef0123456789.a.example/'],
  ['in wide letters', 'https://\uff53k-live-abcdef0123456789.a.example/'],
  ['with an entity', 'https://&#115;k-live-abcdef0123456789.a.example/'],
  ['with a line break that the parser of URLs leaves out', 'https://a.example/sk-li&Tab;ve-abcdef0123456789'],
])('in the address of a link, %s', async (_name, url) => {
  // A host has no capital letters.
  const lower = 'sk-live-abcdef0123456789'
  await using service = await startService(events(chatAnswer([`[a](${url}) ![](${url}) <${url}> ${url}`])))
  for (const [, look] of looks) {
    const env = { ...service.env, SYN_API_KEY: lower, ...look }
    const { out } = await runSyn(['chat', 'x'], { env, isTerminal: true })
    expect(out).not.toContain(lower)
    expect(bare(out)).not.toContain(lower)
  }
})

test('in the link to a search result', async () => {
  const lower = 'sk-live-abcdef0123456789'
  const results = [{ url: 'https://%73k-live-abcdef0123456789.a.example/', title: 'A title', text: 'A text' }]
  await using service = await startService(json({ results }))
  const env = { ...service.env, SYN_API_KEY: lower, ...rich }
  const { out } = await runSyn(['search', 'x'], { env, isTerminal: true })
  expect(out).toContain('\u001b]8;;https://[key].a.example/')
  expect(out).not.toContain(lower)
})

test('of a word that is too long to be held back, only a short start is shown', async () => {
  for (let length = 3972; length <= 3994; length += 4) {
    const word = `${'a'.repeat(length)}&#115;${key.slice(1)}`
    await using service = await startService(events(chatAnswer([word])))
    const { out } = await runSyn(['chat', 'x'], { env: { ...service.env, SYN_API_KEY: key }, isTerminal: true })
    expect(bare(out).replaceAll('\n', '')).not.toContain(key.slice(0, 12))
    expect(bare(out)).not.toContain(key.slice(-12))
  }
})
