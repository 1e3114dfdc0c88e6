/** Standard input that nothing arrives on is mentioned, so that a run does not seem to hang. */

import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { StandardInput } from '../../src/io/standard-input.ts'

async function reading(): Promise<{ pipe: PassThrough; notices: number[]; ended: Promise<void> }> {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const start = Date.now()
  const pipe = new PassThrough()
  const input = new StandardInput('pipe', () => pipe)
  const notices: number[] = []
  input.onSilence = () => void notices.push((Date.now() - start) / 1000)
  const ended = (async () => {
    for await (const _ of input.chunks('--stdin', new AbortController().signal));
  })()
  await Promise.resolve()
  return { pipe, notices, ended }
}

test('after 2, 10 and 60 seconds', async () => {
  const { pipe, notices, ended } = await reading()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(notices).toEqual([2, 10, 60])
  pipe.end()
  await ended
})

test('until something arrives', async () => {
  const { pipe, notices, ended } = await reading()
  await vi.advanceTimersByTimeAsync(5_000)
  pipe.write('a')
  await vi.advanceTimersByTimeAsync(600_000)
  expect(notices).toEqual([2])
  pipe.end()
  await ended
  expect(vi.getTimerCount()).toBe(0)
})
