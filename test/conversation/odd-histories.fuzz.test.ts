/** Whatever a conversation has in it, the next message is answered by a service that refuses what public reports quote. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type JsonObject, objectsIn } from '../../src/io/json/json.ts'
import { streamed } from '../helpers/chat-chunks.ts'
import { conversationsFolder } from '../helpers/conversations.ts'
import { streamed as streamedMessage, text } from '../helpers/messages.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { samples } from '../helpers/samples.ts'
import { json, startService, type Answer } from '../helpers/service.ts'

/** What is wrong with the messages of a chat request. */
function problemOfChat(messages: readonly JsonObject[]): string | undefined {
  let open: string[] = []
  for (const [index, { role, content, tool_calls: calls, tool_call_id: id = '' }] of messages.entries()) {
    const isEmpty = typeof content === 'string' ? content.trim() === '' : objectsIn(content).length === 0
    if (role === 'tool' ? !open.includes(id as string) : open.length > 0)
      return `tool_call_ids without results: ${open.join()}`
    open = role === 'tool' ? open.filter((one) => one !== id) : objectsIn(calls).map((call) => call.id as string)
    if (role === 'tool' || (open.length > 0 && content === '')) continue
    // open-webui #25083, and codex #22602 without content and calls.
    if (isEmpty) return `the message at position ${index} with role '${role as string}' must not be empty`
  }
  return open.length > 0 ? 'tool_calls at the end' : undefined
}

/** What is wrong with those of a messages request. */
function problemOfMessages(messages: readonly JsonObject[]): string | undefined {
  let called: string[] = []
  for (const [index, { role, content }] of messages.entries()) {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsIn(content)
    if (role !== ['user', 'assistant'][index % 2]) return 'roles must alternate between "user" and "assistant"'
    if (blocks.length === 0) return `messages.${index}: all messages must have non-empty content`
    const isBlank = ({ type, text }: JsonObject): boolean => type === 'text' && !/\S/.test(text as string)
    // claude-code #23142 and mike #404.
    if (blocks.some(isBlank)) return 'messages: text content blocks must contain non-whitespace text'
    const idsOf = (type: string, key: string): string[] =>
      blocks.flatMap((block: JsonObject) => (block.type === type ? [block[key] as string] : []))
    const results = idsOf('tool_result', 'tool_use_id')
    if (results.join() !== called.join()) return 'tool_use ids without tool_result blocks'
    called = idsOf('tool_use', 'id')
  }
  return undefined
}

const strict: Answer = (asked, response) => {
  const isChat = asked.path.includes('chat')
  const messages = objectsIn((asked.json as JsonObject).messages)
  const message = (isChat ? problemOfChat : problemOfMessages)(messages)
  if (message !== undefined) return json({ error: { message } }, 400)(asked, response)
  return (isChat ? streamed('Yes') : streamedMessage(text(0, 'Yes')))(asked, response)
}

const call = (id: string): object => ({ id, type: 'function', function: { name: 't', arguments: '{' } })
const withCalls = { tool_calls: [call('c1'), call('c2')] }
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }

/** Answers by what is odd about them; `undefined` for one whose end is missing. */
const answers: Record<string, object | undefined> = {
  plain: { content: 'Yes' },
  empty: { content: '' },
  null: { content: null },
  blank: { content: '\n\n' },
  'blank for Python': { content: '\u0085\u001c' },
  'blank parts': { content: [{ type: 'text', text: ' ' }] },
  thought: { content: '', reasoning_content: 'Hm.' },
  'blank thought': {
    content: '\n',
    reasoning_content: 'Hm.',
    thinking_blocks: [{ type: 'thinking', thinking: 'Hm.' }],
  },
  refusal: { content: null, refusal: 'No.' },
  calls: { content: 'I look.', ...withCalls },
  'blank calls': { content: '\n\n', reasoning_content: 'Hm.', ...withCalls },
  'signed calls': {
    content: ' ',
    thinking_blocks: [{ type: 'thinking', thinking: 'Hm.', signature: 's' }],
    ...withCalls,
  },
  lost: undefined,
}

/** The messages of a turn by what is odd about them; `undefined` if its line is damaged. */
const turns: Record<string, (number: number) => object[] | undefined> = {
  words: (number) => [{ role: 'user', content: `q${number}` }],
  image: () => [{ role: 'user', content: [image] }],
  both: () => [{ role: 'user', content: [{ type: 'text', text: 'see' }, image] }],
  history: () => [
    { role: 'user', content: 'once' },
    { role: 'assistant', content: 'upon' },
  ],
  results: () => ['c1', 'c2'].map((id) => ({ role: 'tool', tool_call_id: id, content: '' })),
  'one result': () => [{ role: 'tool', tool_call_id: 'c2', content: 'x' }],
  lost: () => undefined,
}

const follows = {
  /** After an answer, or after its turn, as a message replaces one without an answer. */
  parent: fc.constantFrom('answer', 'turn'),
  turn: fc.constantFrom(...Object.keys(turns)),
  answer: fc.constantFrom(...Object.keys(answers)),
  then: fc.constantFrom('', '', '', 'undo', 'compact', 'omit'),
}

interface Step {
  turn: string
  answer: string
  parent?: string
  then?: string
}

function logOf(id: string, steps: readonly Step[]): string {
  const at = '2026-11-21T10:00:00.000Z'
  const lines: object[] = [{ type: 'conversation', at, version: 1, id }]
  let end: string | undefined
  for (const [number, { turn, answer, then = '', parent = 'answer' }] of steps.entries()) {
    const summarizes = then === 'compact' && end !== undefined && { summarizes: end, parent: undefined }
    const messages = turns[then === 'compact' ? 'words' : turn]?.(number)
    const omitsImages = then === 'omit' ? true : undefined
    lines.push({ type: 'turn', at, id: `t${number}`, parent: end, omitsImages, messages, ...summarizes })
    lines.push({ type: 'answer', at, id: `a${number}`, parent: `t${number}`, model: 'hf:one' })
    const message = { role: 'assistant', ...answers[answer] }
    const choices = [{ index: 0, message, finish_reason: 'stop' }]
    if (answers[answer]) lines.push({ type: 'end', at, answer: `a${number}`, choices })
    if (then === 'undo') lines.push({ type: 'head', at, node: end })
    else end = parent === 'turn' && turn.includes('result') ? `t${number}` : `a${number}`
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

async function outcomeOf(steps: readonly Step[], api: string) {
  await using service = await startService(strict)
  const home = emptyFolder()
  const id = '20261121-100000-abcd'
  mkdirSync(conversationsFolder(home), { recursive: true, mode: 0o700 })
  writeFileSync(join(conversationsFolder(home), `${id}.jsonl`), logOf(id, steps), { mode: 0o600 })
  const argv = ['chat', '--api', api, '-m', 'hf:one', '-q', '--session', id, 'next']
  const { code, out, err } = await runSyn(argv, { env: { HOME: home, ...service.env } })
  return { code, out, err, sent: service.asked.at(-1)?.body }
}

describe.each(['chat', 'messages'])('with the %s API', (api) => {
  const expectAnswer = async (...steps: Step[]): Promise<void> => {
    const { sent, ...outcome } = await outcomeOf(steps, api)
    expect(outcome, sent).toEqual({ code: 0, out: 'Yes\n', err: '' })
    expect(sent).toContain('next')
  }

  test.each(Object.keys(answers))('after an answer: %s', async (answer) => {
    await expectAnswer({ turn: 'words', answer })
    await expectAnswer({ turn: 'words', answer }, { turn: 'results', answer: 'plain' }, { turn: 'words', answer })
  })

  test.each(Object.keys(answers))('after an answer to a turn that is lost: %s', (answer) =>
    expectAnswer({ turn: 'lost', answer }, { turn: 'words', answer }),
  )

  test('after any sequence of these', async () => {
    const histories = fc.array(fc.record(follows), { minLength: 1, maxLength: 7 })
    const holds = (steps: Step[]): Promise<void> => expectAnswer(...steps)
    await fc.assert(fc.asyncProperty(histories, holds), samples(60))
  })
})
