/** Keys, text and pastes from the bytes of a terminal. */

import { type Io, terminalSink } from '../../../src/io/io.ts'
import { PassThrough } from 'node:stream'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { KeyboardInput } from '../../../src/terminal/line-editor/key-sequences.ts'
import { Keyboard, listenToKeys } from '../../../src/terminal/line-editor/keyboard.ts'

interface Listening {
  readonly stream: PassThrough
  readonly received: KeyboardInput[]
  /** A read of the terminal. */
  type(bytes: string): void
  stop(): void
}

function listening(): Listening {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const stream = new PassThrough()
  const received: KeyboardInput[] = []
  const stop = listenToKeys(stream, (input) => received.push(input))
  onTestFinished(stop)
  return { stream, received, type: (bytes) => void stream.emit('data', Buffer.from(bytes)), stop }
}

const escape: KeyboardInput = { kind: 'key', name: 'escape' }
const up: KeyboardInput = { kind: 'key', name: 'up' }

describe('waiting', () => {
  test('Esc counts after 200 ms', async () => {
    const { type, received } = listening()
    type('\u001b')
    await vi.advanceTimersByTimeAsync(199)
    expect(received).toEqual([])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(received).toEqual([escape])
  })

  test('ESC alone is no key once the terminal says that the kitty protocol is on', async () => {
    const { type, received } = listening()
    for (const bytes of ['\u001b[?0u', '\u001b', '\u001b[?5u', '\u001b']) {
      type(bytes)
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(received).toEqual([escape])
    type('\u001b[27u')
    expect(received).toEqual([escape, escape])
  })

  test('a line end after a paste without brackets sends it, unless more follows', async () => {
    const { type, received } = listening()
    for (const bytes of ['one\rtwo\r', 'three\rfo', 'ur\r']) {
      type(bytes)
      await vi.advanceTimersByTimeAsync(190)
    }
    const pasted = ['one\rtwo', '\rthree\rfo', 'ur'].map((text) => ({ kind: 'paste', text }))
    expect(received).toEqual(pasted)
    await vi.advanceTimersByTimeAsync(20)
    expect(received).toEqual([...pasted, { kind: 'key', name: 'return' }])
  })

  test('a program that was busy reads first what has arrived', async () => {
    const { type, received } = listening()
    type('\u001b')
    // The timers of the event loop run before it reads.
    vi.advanceTimersByTime(200)
    type('[A')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(received).toEqual([up])
  })

  test('what was waited for is not lost when the keyboard is released', async () => {
    const { type, received, stop } = listening()
    type('\u001b[200~one\r')
    stop()
    expect(received).toEqual([{ kind: 'paste', text: 'one\r' }])
  })
})

interface Terminal {
  readonly keyboard: Keyboard
  readonly received: KeyboardInput[]
  /** What was written since the last call. */
  written(): string
  /** The sequence that is written when the process exits. */
  restoring(): string
  type(bytes: string): void
}

function terminal(env: Record<string, string>): Terminal {
  const stream = Object.assign(new PassThrough(), { setRawMode: () => undefined })
  let written = ''
  let restoring = ''
  const received: KeyboardInput[] = []
  const io = {
    in: { openTerminal: () => stream },
    out: terminalSink(async (text) => void (written += text), { columns: () => 80 }),
    env,
    restoreAtExit: (sequence: string) => void (restoring = sequence),
  } as unknown as Io
  const keyboard = new Keyboard(io, {
    onInput: (input) => received.push(input),
    onResize: () => undefined,
    onEnd: () => undefined,
  })
  onTestFinished(() => keyboard.release())
  return {
    keyboard,
    received,
    written: () => {
      const text = written
      written = ''
      return text
    },
    restoring: () => restoring,
    type: (bytes) => void stream.emit('data', Buffer.from(bytes)),
  }
}

describe('the terminal', () => {
  const paste = { on: '\u001b[?2004h', off: '\u001b[?2004l' }
  const other = { on: '\u001b[>4;1m\u001b[m', off: '\u001b[>4m\u001b[m' }
  const kitty = { ask: '\u001b[?u', askWhich: '\u001b[>c\u001b[?u', on: '\u001b[>5u\u001b[?u', off: '\u001b[<u' }

  test.each<[env: Record<string, string>, on: string, off: string]>([
    [{ TERM: 'xterm-256color' }, paste.on + other.on + kitty.ask, paste.off + other.off],
    [{}, paste.on + other.on + kitty.ask, paste.off + other.off],
    [{ TERM: 'xterm', TERM_PROGRAM: 'WezTerm' }, paste.on + kitty.ask, paste.off],
    [{ TERM: 'xterm-256color', WT_SESSION: '0' }, paste.on + other.on, paste.off + other.off],
    [{ TERM: 'linux' }, paste.on, paste.off],
    [{ TERM: 'dumb' }, '', ''],
  ])('with %j gets %j', async (env, on, off) => {
    const { keyboard, written, restoring } = terminal(env)
    keyboard.acquire()
    expect(written()).toBe(on)
    expect(restoring()).toBe(off)
    keyboard.acquire()
    expect(written()).toBe('')
    keyboard.release()
    expect(written()).toBe(off)
    expect(restoring()).toBe('')
    keyboard.release()
    expect(written()).toBe('')
  })

  test('that answers gets the kitty protocol in place of modifyOtherKeys, once, and then without a question', async () => {
    const { keyboard, written, restoring, type, received } = terminal({ TERM: 'xterm-kitty' })
    keyboard.acquire()
    written()
    type('a\u001b[?0ub')
    expect(written()).toBe(kitty.askWhich)
    type('\u001b[>1;4000;29c\u001b[?0u')
    type('\u001b[?5u\u001b[13;2u')
    expect(written()).toBe(other.off + kitty.on)
    expect(restoring()).toBe(paste.off + kitty.off)
    expect(received).toEqual([
      { kind: 'text', text: 'ab' },
      { kind: 'key', name: 'shift-return' },
    ])
    keyboard.release()
    expect(written()).toBe(paste.off + kitty.off)
    expect(restoring()).toBe('')
    keyboard.acquire()
    expect(written()).toBe(paste.on + kitty.on)
    expect(restoring()).toBe(paste.off + kitty.off)
  })
})
