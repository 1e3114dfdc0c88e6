/** A warning says that nothing arrives on standard input, so that a run does not seem to hang. */

import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { StandardInput, type InputKind } from '../../src/io/process/standard-input.ts'

interface Reading {
  readonly pipe: PassThrough
  /** When a warning came, in seconds. */
  readonly warnings: number[]
  readonly ended: Promise<void>
}

/** @param work Done with each chunk, before the next one is awaited. */
async function reading(kind: InputKind = 'pipe', work?: () => Promise<void>): Promise<Reading> {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const start = Date.now()
  const pipe = new PassThrough()
  const input = new StandardInput(kind, () => pipe)
  const warnings: number[] = []
  input.onSilence = () => void warnings.push((Date.now() - start) / 1000)
  const ended = (async () => {
    for await (const _ of input.chunks('--stdin', new AbortController().signal)) await work?.()
  })()
  await Promise.resolve()
  return { pipe, warnings, ended }
}

test('after 2, 10 and 60 seconds', async () => {
  const { pipe, warnings, ended } = await reading()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(warnings).toEqual([2, 10, 60])
  pipe.end()
  await ended
})

test('of silence: each chunk starts it anew, and no warning comes twice', async () => {
  const { pipe, warnings, ended } = await reading()
  for (let second = 0; second < 100; second++) {
    pipe.write('a')
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(warnings).toEqual([])
  await vi.advanceTimersByTimeAsync(4_000)
  expect(warnings).toEqual([101])
  pipe.write('a')
  await vi.advanceTimersByTimeAsync(600_000)
  expect(warnings).toEqual([101, 114, 164])
  pipe.write('a')
  await vi.advanceTimersByTimeAsync(600_000)
  expect(warnings).toEqual([101, 114, 164])
  pipe.end()
  await ended
  expect(vi.getTimerCount()).toBe(0)
})

test('not while the reader works on what has arrived', async () => {
  const { pipe, warnings, ended } = await reading('pipe', () => new Promise((resolve) => setTimeout(resolve, 30_000)))
  pipe.write('a')
  await vi.advanceTimersByTimeAsync(30_000)
  expect(warnings).toEqual([])
  await vi.advanceTimersByTimeAsync(9_000)
  expect(warnings).toEqual([32])
  pipe.end()
  await ended
})

test('of a terminal only until something is typed', async () => {
  const { pipe, warnings, ended } = await reading('terminal')
  await vi.advanceTimersByTimeAsync(5_000)
  pipe.write('a')
  await vi.advanceTimersByTimeAsync(600_000)
  expect(warnings).toEqual([2])
  pipe.end()
  await ended
  expect(vi.getTimerCount()).toBe(0)
})
