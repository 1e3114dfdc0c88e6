/** Processes of one person at a service that takes few requests at a time: they take turns. */

import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defer } from '../../src/io/defer.ts'
import { BatchProgram, prompts } from '../helpers/batch-program.ts'
import { type FewSlots, startFewSlots, slotFiles } from '../helpers/few-slots.ts'
import { openChat } from '../helpers/interactive-chat.ts'
import { type Ended, environment, startSyn } from '../helpers/program.ts'
import { synOnTerminal } from '../helpers/terminal.ts'
import { chatsBesideBatch } from './beside-batch.ts'

test('a chat beside a batch is answered after at most one row, and the batch loses none', () => chatsBesideBatch(4))

test('two batches beside each other both finish, and take turns', async () => {
  await using service = await startFewSlots(1, 20)
  const one = new BatchProgram(service, prompts(100))
  const other = new BatchProgram(service, ['a', 'b', 'c', 'd', 'e'])
  Object.assign(other.env, one.env)
  const isInLine = (): boolean => slotFiles(one.env.HOME ?? '', 'row-').length > 0
  // However late the other one starts, rows are left.
  let hasOther = false
  service.until = () => service.taken.length < 3 || (hasOther ||= isInLine())
  const first = one.startFile()
  await expect.poll(() => service.taken.length).toBeGreaterThan(2)
  expect(await other.startFile().ended).toMatchObject({ code: 0 })
  expect(await first.ended).toMatchObject({ code: 0 })
  expect([one.rows().length, other.rows().length]).toEqual([100, 5])
  expect(service.taken.indexOf('e')).toBeLessThan(90)
})

test('a refusal of a model that has another name for the batch is waited out, and is no retry', async () => {
  await using service = await startFewSlots(1, 0)
  let mayEnd = false
  service.until = () => mayEnd
  const batch = new BatchProgram(service, prompts(3))
  const running = batch.startFile('-m', 'hf:test/one')
  await expect.poll(() => service.taken.length).toBe(1)
  // On a machine so busy that the batch does not run for a second, its slot would be stale.
  const [slot = ''] = slotFiles(batch.env.HOME ?? '', 'slot-')
  const keeping = setInterval(() => existsSync(slot) && utimesSync(slot, new Date(), new Date()), 50)
  using _keeping = defer(() => clearInterval(keeping))
  const chat = startSyn(['chat', '--retries', '0', '-m', 'hf:test/two', 'hi'], batch.env)
  await expect.poll(() => service.refused).toEqual(['hi'])
  service.slots = 2
  await expect.poll(() => service.taken).toContain('hi')
  mayEnd = true
  expect(await chat.ended).toMatchObject({ code: 0, out: 're: hi\n', err: '' })
  expect(await running.ended).toMatchObject({ code: 0 })
  expect(batch.rows()).toHaveLength(3)
})

test('more slots, once a batch has learned them, are those of chats too', async () => {
  await using service = await startFewSlots(8, 1)
  const batch = new BatchProgram(service, prompts(80))
  expect(await batch.startFile().ended).toMatchObject({ code: 0 })
  service.until = (inFlight) => inFlight >= 3 || service.taken.length > 82
  const chats = ['a', 'b', 'c'].map((prompt) => startSyn(['chat', prompt], batch.env).ended)
  expect(await Promise.all(chats)).toMatchObject(['a', 'b', 'c'].map((prompt) => ({ code: 0, out: `re: ${prompt}\n` })))
})

test('with --jobs 3, a batch sends three at a time, and a chat goes before its next row', async () => {
  await using service = await startFewSlots(3, 0)
  service.until = () => false
  const batch = new BatchProgram(service, prompts(9))
  const running = batch.startFile('--jobs', '3')
  await expect.poll(() => service.taken.length).toBe(3)
  const chat = startSyn(['chat', 'hi'], batch.env)
  await expect.poll(() => slotFiles(batch.env.HOME ?? '', 'one-')).toHaveLength(1)
  // Rows that are sent now are answered after the chat, however late that looks for its turn.
  service.until = () => service.taken.length === 3 || service.taken.includes('hi')
  expect(await chat.ended).toMatchObject({ code: 0, out: 're: hi\n' })
  expect(await running.ended).toMatchObject({ code: 0 })
  expect(service.refused).toEqual([])
  // One of the three slots is left for it.
  expect(service.taken.slice(0, 6)).toContain('hi')
})

async function ask(service: FewSlots, home: string): Promise<Ended> {
  return startSyn(['chat', 'hi'], { ...environment(service), HOME: home }).ended
}

test('a slot or a place in line that a killed process left is free', async () => {
  await using service = await startFewSlots(1, 0)
  const { HOME: home = '' } = environment()
  let paths: string[] = []
  service.onTaken = () => (paths = slotFiles(home, 'slot-'))
  expect(await ask(service, home)).toMatchObject({ code: 0 })
  const [slot = ''] = paths
  expect(slot).toMatch(/\.slot-0$/)
  // One of long ago, and one of just now.
  for (const age of [3600, 0]) {
    for (const left of [slot, slot.replace('slot-0', 'one-0')]) {
      writeFileSync(left, '')
      utimesSync(left, Date.now() / 1000 - age, Date.now() / 1000 - age)
    }
    expect(await ask(service, home)).toMatchObject({ code: 0, out: 're: hi\n' })
    expect([...slotFiles(home, 'slot-'), ...slotFiles(home, 'one-')]).toEqual([])
  }
})

test('without a cache directory that can be written, nobody waits', async () => {
  await using service = await startFewSlots(2, 0)
  const { HOME: home = '' } = environment()
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, '.cache'), '')
  service.until = () => service.taken.length === 2
  const asked = [ask(service, home), ask(service, home)]
  expect(await Promise.all(asked)).toMatchObject(
    Array.from({ length: 2 }, () => ({ code: 0, out: 're: hi\n', err: '' })),
  )
})

test('the chat and the spinner say what is waited for', async () => {
  await using service = await startFewSlots(1, 0)
  let mayEnd = false
  service.until = () => mayEnd
  const batch = new BatchProgram(service, prompts(3))
  const running = batch.startFile()
  await expect.poll(() => service.taken.length).toBe(1)
  await using chat = await openChat([], { env: batch.env })
  chat.screen.type('hi\r')
  await chat.screen.until((lines) => lines.includes('waiting for your batch · Esc stops'))
  const once = synOnTerminal(['chat', 'hello'], batch.env)
  await once.until((lines) => lines.some((line) => line.endsWith('waiting for your batch')))
  chat.screen.type('\u001b')
  await chat.screen.until((lines) => lines.at(-1) === '›')
  mayEnd = true
  await once.until((lines) => lines.some((line) => line.includes('re: hello')))
  expect(await running.ended).toMatchObject({ code: 0 })
  expect(service.taken).not.toContain('hi')
})
