/** The files with the parts of answers in progress, and what readers make of those that a killed run left. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSession, type Session } from '../../src/conversation/session.ts'
import type { Delta } from '../../src/stream/delta.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { expectMode } from '../helpers/modes.ts'
import { samples } from '../helpers/samples.ts'
import { type Recording, startRecording, storesIn, textDeltas, type StoreSetup } from '../helpers/recording.ts'

/** Starts a turn, and records these reads of its answer. */
async function answering(session: Session, ...reads: (string | Delta[])[]): Promise<Recording> {
  const recorder = await startRecording(session, { messages: [{ role: 'user', content: 'Hi' }] }, 'hf:a')
  for (const read of reads) await recorder.add(typeof read === 'string' ? textDeltas(read) : read)
  return recorder
}

function filesIn(folder: string, extension: string): string[] {
  return readdirSync(folder).flatMap((name) => (name.endsWith(extension) ? [join(folder, name)] : []))
}

/** The answers of the only conversation, read from its files. */
async function answersIn({ folder, newStore }: StoreSetup): Promise<{ text: unknown; isComplete: boolean }[]> {
  const [log = ''] = filesIn(folder, '.jsonl')
  const { path } = await openSession({ session: basename(log, '.jsonl') }, newStore(), false)
  return path.flatMap((one) =>
    one.type === 'answer' ? [{ text: one.message.content, isComplete: one.error === undefined }] : [],
  )
}

test('an answer in progress has one file, only for its owner, and none before its first text', async () => {
  const setup = storesIn()
  const recorder = await answering(await openSession({}, setup.newStore(), true))
  expect(filesIn(setup.folder, '.part')).toEqual([])
  for (const one of ['He', 'l', 'lo']) await recorder.add(textDeltas(one))
  const [path = '', ...others] = filesIn(setup.folder, '.part')
  expect(others).toEqual([])
  expect(basename(path)).toMatch(/^20261121-100000-[\da-f]{6}\.[\da-f]{8}\.part$/)
  expectMode(path, '600')
  expect(await answersIn(setup)).toEqual([{ text: 'Hello', isComplete: false }])
  await recorder.end()
  expect(filesIn(setup.folder, '.part')).toEqual([])
  expect(await answersIn(setup)).toEqual([{ text: 'Hello', isComplete: true }])
})

test('a run that is killed before it removes the file: the answer is there once, and complete', async () => {
  const setup = storesIn()
  const recorder = await answering(await openSession({}, setup.newStore(), true), 'Hel', 'lo')
  const [path = ''] = filesIn(setup.folder, '.part')
  const left = readFileSync(path)
  await recorder.end()
  writeFileSync(path, left)
  expect(await answersIn(setup)).toEqual([{ text: 'Hello', isComplete: true }])
  expect(setup.notices).toEqual([])
})

test('two answers at the same time: each has its file, and both are read', async () => {
  const setup = storesIn()
  const first = await answering(await openSession({ session: 'x' }, setup.newStore(), true), 'o')
  const second = await answering(await openSession({ session: 'x' }, setup.newStore(), true), 'tw')
  await first.add(textDeltas('ne'))
  await second.add(textDeltas('o'))
  expect(filesIn(setup.folder, '.jsonl')).toHaveLength(1)
  expect(filesIn(setup.folder, '.part')).toHaveLength(2)
  expect(await answersIn(setup)).toEqual([
    { text: 'one', isComplete: false },
    { text: 'two', isComplete: false },
  ])
  await second.end()
  expect(filesIn(setup.folder, '.part')).toHaveLength(1)
  await first.end()
  expect(filesIn(setup.folder, '.part')).toEqual([])
  expect(await answersIn(setup)).toEqual([
    { text: 'one', isComplete: true },
    { text: 'two', isComplete: true },
  ])
})

test('if the end of an answer cannot be written, its parts stay', async () => {
  const setup = storesIn()
  const recorder = await answering(await openSession({}, setup.newStore(), true), 'Hel', 'lo')
  // Only the end of an answer has its usage, and JSON has no such number.
  await recorder.add([{ type: 'usage', usage: { promptTokens: 1n } as never }])
  await recorder.end()
  expect(setup.notices).toEqual([expect.stringContaining('cannot save the conversation')])
  expect(await answersIn(setup)).toEqual([{ text: 'Hello', isComplete: false }])
})

test.each<[what: string, make: (path: string) => void, notice: string | undefined]>([
  ['noise', (path) => writeFileSync(path, 'noise\n'), 'PATH: skipped line 1: damaged'],
  ['a directory', (path) => mkdirSync(path), 'cannot read PATH: is a directory'],
  [
    'parts of another answer',
    (path) => writeFileSync(path, `${JSON.stringify({ type: 'part', answer: 'x', deltas: textDeltas('no') })}\n`),
    undefined,
  ],
])('in place of the file of parts: %s: the turn is read', async (_what, make, notice) => {
  const setup = storesIn()
  await answering(await openSession({}, setup.newStore(), true))
  const [log = ''] = filesIn(setup.folder, '.jsonl')
  const answer = /"type":"answer".*?"id":"(\w+)"/.exec(readFileSync(log, 'utf8'))?.[1] ?? ''
  const path = log.replace('.jsonl', `.${answer}.part`)
  make(path)
  const { conversation } = await openSession({ session: basename(log, '.jsonl') }, setup.newStore(), false)
  expect(conversation.unanswered?.messages).toEqual([{ role: 'user', content: 'Hi' }])
  expect(setup.notices).toEqual(notice === undefined ? [] : [notice.replace('PATH', path)])
})

test('an answer whose ID is a path reads no other file', async () => {
  const setup = storesIn()
  const answer = 'x/../other'
  const lines = [
    { type: 'turn', at: '', id: 't', messages: [{ role: 'user', content: 'Hi' }] },
    { type: 'answer', at: '', id: answer, parent: 't' },
  ]
  const log = join(setup.folder, '20261121-100000-aaaaaa.jsonl')
  writeFileSync(log, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  mkdirSync(log.replace('.jsonl', '.x'))
  writeFileSync(
    join(setup.folder, 'other.part'),
    `${JSON.stringify({ type: 'part', answer, deltas: textDeltas('no') })}\n`,
  )
  expect(await answersIn(setup)).toEqual([])
})

test('a file of parts that is cut at any byte is read as a prefix of the answer', async () => {
  const reads = fc.array(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 6 })
  const property = fc.asyncProperty(reads, fc.nat(), async (reads, place) => {
    const setup = storesIn()
    await answering(await openSession({}, setup.newStore(), true), ...reads)
    const [path = ''] = filesIn(setup.folder, '.part')
    const bytes = readFileSync(path)
    const left = bytes.subarray(0, place % (bytes.length + 1))
    writeFileSync(path, left)
    // A line that lacks only its newline is complete.
    const complete = left.toString('latin1').match(/\]\}(?=\n|$)/g)?.length ?? 0
    const expected = reads.slice(0, complete).join('')
    expect(await answersIn(setup)).toEqual(expected === '' ? [] : [{ text: expected, isComplete: false }])
  })
  await fc.assert(property, samples(30))
})
