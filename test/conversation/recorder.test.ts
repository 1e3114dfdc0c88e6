/** The content of a conversation's file at each moment of an answer. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Entry } from '../../src/conversation/entry.ts'
import { BrokenPipeError } from '../../src/errors.ts'
import { openSession, type NewTurn, type Session } from '../../src/conversation/session.ts'
import { logContent } from '../helpers/conversations.ts'
import { emptyFile } from '../helpers/run-syn.ts'
import { startRecording, storesIn, textDeltas, type StoreSetup } from '../helpers/recording.ts'

async function newSession(folder?: string): Promise<StoreSetup & { session: Session }> {
  const setup = storesIn(folder)
  return { ...setup, session: await openSession({}, setup.newStore(), true) }
}

function newTurn(content: string): NewTurn {
  return { messages: [{ role: 'user', content }] }
}

/** The entries of the only log, then those of the parts, in short notation. */
function entriesIn(folder: string): string[] {
  return [...contentOf(folder, '.jsonl'), ...contentOf(folder, '.part')].flatMap((text) =>
    logContent(text).entries.map(shortText),
  )
}

function contentOf(folder: string, extension: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(extension))
  return names.map((name) => readFileSync(join(folder, name), 'utf8'))
}

function shortText(entry: Entry): string {
  if (entry.type === 'turn') return `turn ${JSON.stringify(entry.messages[0])}`
  if (entry.type === 'answer') return `answer of ${entry.model}`
  if (entry.type === 'part') return `part ${entry.deltas.map((delta) => ('text' in delta ? delta.text : '')).join('|')}`
  if (entry.type === 'end') {
    const texts = entry.choices.map(({ message }) => JSON.stringify(message.content)).join('|')
    return `end ${texts}${entry.error === undefined ? '' : ` (${entry.error})`}`
  }
  return entry.type
}

const opening = ['conversation', 'turn {"role":"user","content":"Hi"}', 'answer of hf:a']

test('the turn is written before the answer, each read before the next, and the end replaces them', async () => {
  const { folder, session, notices } = await newSession()
  const recorder = await startRecording(session, newTurn('Hi'), 'hf:a')
  expect(entriesIn(folder)).toEqual(opening)
  await recorder.add(textDeltas('Hello'))
  expect(entriesIn(folder)).toEqual([...opening, 'part Hello'])
  await recorder.add([{ type: 'usage', usage: { promptTokens: 1, completionTokens: 2 } }])
  await recorder.add(textDeltas(' you'))
  expect(entriesIn(folder)).toEqual([...opening, 'part Hello', 'part  you'])
  await recorder.end()
  expect(entriesIn(folder)).toEqual([...opening, 'end "Hello you"'])
  expect(contentOf(folder, '.part')).toEqual([])
  expect(session.messagesWith(newTurn('More'))).toEqual([
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello you' },
    { role: 'user', content: 'More' },
  ])
  expect(notices).toEqual([])
})

test.each<[what: string, error: unknown, message: string]>([
  ['an error', new Error('the connection broke'), 'the connection broke'],
  ['a reader that is gone', new BrokenPipeError(), 'the output was closed'],
])('%s is recorded at the end of the answer', async (_what, error, message) => {
  const { folder, session } = await newSession()
  const recorder = await startRecording(session, newTurn('Hi'), 'hf:a')
  await recorder.add(textDeltas('Hel'))
  await recorder.end(error)
  expect(entriesIn(folder).at(-1)).toBe(`end "Hel" (${message})`)
})

test('a failed write is reported once, and the answer continues', async () => {
  const { session, notices } = await newSession(join(emptyFile(), 'x'))
  const recorder = await startRecording(session, newTurn('Hi'), 'hf:a')
  await recorder.add(textDeltas('Hel'))
  await recorder.add(textDeltas('lo'))
  await recorder.end()
  expect(notices).toEqual([expect.stringContaining('cannot save the conversation')])
  expect(session.messagesWith(newTurn('More')).length).toBe(3)
})
