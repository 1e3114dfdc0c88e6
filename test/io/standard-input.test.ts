/** A warning says that nothing arrives on standard input, so that a run does not seem to hang; a socket may be given up. */

import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { StandardInput, type InputKind } from '../../src/io/process/standard-input.ts'

interface Reading {
  readonly pipe: PassThrough
  /** When a warning came, in seconds. */
  readonly warnings: number[]
  readonly texts: string[]
  readonly ended: Promise<void>
}

/** @param work Done with each chunk, before the next one is awaited. */
async function reading(kind: InputKind = 'pipe', work?: () => Promise<void>): Promise<Reading> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const start = Date.now()
  const pipe = new PassThrough()
  const input = new StandardInput(kind, () => pipe)
  input.isOptional = kind === 'socket'
  const warnings: number[] = []
  const texts: string[] = []
  input.onSilence = () => void warnings.push((Date.now() - start) / 1000)
  const ended = (async () => {
    for await (const chunk of input.chunks('--stdin', new AbortController().signal)) {
      texts.push(String(chunk))
      await work?.()
    }
  })()
  await Promise.resolve()
  return { pipe, warnings, texts, ended }
}

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

test('of an optional socket once, after a second, when it is given up', async () => {
  const { pipe, warnings, texts, ended } = await reading('socket')
  await vi.advanceTimersByTimeAsync(1_000)
  await ended
  expect({ warnings, texts, isClosed: pipe.destroyed }).toEqual({ warnings: [1], texts: [], isClosed: true })
  expect(vi.getTimerCount()).toBe(0)
})

test('none of an optional socket that has ended, or whose first byte is seen only after the second', async () => {
  for (const text of ['', 'a']) {
    const { pipe, warnings, texts, ended } = await reading('socket')
    // On a busy machine a timer is late, and fires before what has arrived meanwhile is read.
    if (text !== '') vi.advanceTimersToNextTimer()
    pipe.end(text)
    await vi.advanceTimersByTimeAsync(1_000)
    await ended
    expect({ warnings, text: texts.join('') }).toEqual({ warnings: [], text })
  }
})
