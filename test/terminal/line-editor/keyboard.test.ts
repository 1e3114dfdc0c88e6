/** Keys, text and pastes from the bytes of a terminal. */

import { type Io, terminalSink } from '../../../src/io/io.ts'
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { KeyboardInput } from '../../../src/terminal/line-editor/key-sequences.ts'
import { Keyboard, listenToKeys } from '../../../src/terminal/line-editor/keyboard.ts'
import { samples } from '../../helpers/samples.ts'

/** @param reads What each read of the terminal brings. */
function inputs(reads: (string | Uint8Array)[]): KeyboardInput[] {
  const stream = new PassThrough()
  const received: KeyboardInput[] = []
  const stop = listenToKeys(stream, (input) => received.push(input))
  for (const bytes of reads) stream.emit('data', Buffer.from(bytes))
  stop()
  return received
}

test.each<[bytes: string, name: string]>([
  ['\u0001', 'ctrl-a'],
  ['\r', 'return'],
  ['\n', 'ctrl-j'],
  ['\u001b\r', 'alt-return'],
  ['\u001b[13;2u', 'shift-return'],
  ['\t', 'tab'],
  ['\u007f', 'backspace'],
  ['\b', 'backspace'],
  ['\u001b\u007f', 'alt-backspace'],
  ['\u001f', 'ctrl-_'],
  ['\u001b<', 'alt-<'],
  ['\u001bb', 'alt-b'],
  ['\u001bB', 'alt-b'],
  ['\u001b[D', 'left'],
  ['\u001bOD', 'left'],
  ['\u001b[1;5D', 'ctrl-left'],
  ['\u001b[1;3D', 'alt-left'],
  ['\u001b[3~', 'delete'],
  ['\u001b[Z', 'shift-tab'],
])('%j is %s', (bytes, name) => {
  expect(inputs([bytes])).toEqual([{ kind: 'key', name }])
})

test.each(['a', 'A', ' ', '7', '<', 'é', '日', '👍'])('%s is text', (text) => {
  expect(inputs([text])).toEqual([{ kind: 'text', text }])
})

test('unknown sequences are ignored', () => {
  expect(inputs(['\u001b[I', '\u001b[99~'])).toEqual([])
})

test('a paste is one input, however it is split', () => {
  const text = 'one\rtwo\t日本\u001b[31m\u0003\u0004 \u001b\u001b[A end\r'
  const bytes = Buffer.from(`x\u001b[200~${text}\u001b[201~y`)
  const expected = [
    { kind: 'text', text: 'x' },
    { kind: 'paste', text },
    { kind: 'text', text: 'y' },
  ]
  fc.assert(
    fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 10 }), (places) => {
      const edges = [0, ...places.toSorted((a, b) => a - b), bytes.length]
      const reads = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge))
      // A read that is Ctrl-C alone ends the paste.
      fc.pre(reads.every((read) => read.length !== 1 || read[0] !== 3))
      expect(inputs(reads)).toEqual(expected)
    }),
    samples(),
  )
})

interface Listening {
  readonly stream: PassThrough
  readonly received: KeyboardInput[]
  /** A read of the terminal. */
  type(bytes: string): void
}

function listening(): Listening {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const stream = new PassThrough()
  const received: KeyboardInput[] = []
  onTestFinished(listenToKeys(stream, (input) => received.push(input)))
  return { stream, received, type: (bytes) => void stream.emit('data', Buffer.from(bytes)) }
}

const escape: KeyboardInput = { kind: 'key', name: 'escape' }
const up: KeyboardInput = { kind: 'key', name: 'up' }

describe('waiting', () => {
  test('Esc counts after 200 ms', async () => {
    const { type, received } = listening()
    type('\u001b')
    await vi.advanceTimersByTimeAsync(199)
    expect(received).toEqual([])
    await vi.advanceTimersByTimeAsync(2)
    expect(received).toEqual([escape])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(received).toEqual([escape])
  })

  test('each read starts it anew', async () => {
    const { type, received } = listening()
    for (const bytes of ['\u001b', '[', '1;', '1']) {
      type(bytes)
      await vi.advanceTimersByTimeAsync(190)
    }
    type('A')
    expect(received).toEqual([up])
  })

  test('a reply of the terminal in pieces types nothing', async () => {
    const { type, received } = listening()
    for (const bytes of ['\u001b]11;rgb:00', '00/0000/0000\u001b', '\\x']) {
      type(bytes)
      await vi.advanceTimersByTimeAsync(120)
    }
    expect(received).toEqual([{ kind: 'text', text: 'x' }])
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

  test('a paste that stalls stays one paste', async () => {
    const { type, received } = listening()
    for (const bytes of ['\u001b[200~one\r', 'two\r\u001b[2']) {
      type(bytes)
      await vi.advanceTimersByTimeAsync(5_000)
    }
    expect(received).toEqual([])
    type('01~')
    expect(received).toEqual([{ kind: 'paste', text: 'one\rtwo\r' }])
  })

  test('what was waited for is not lost when the keyboard is released', async () => {
    expect(inputs(['\u001b[200~one\r'])).toEqual([{ kind: 'paste', text: 'one\r' }])
  })
})

test('a stream that decodes UTF-8 itself', () => {
  const { stream, received } = listening()
  stream.setEncoding('utf8')
  stream.emit('data', 'é\u001b[A')
  expect(received).toEqual([{ kind: 'text', text: 'é' }, up])
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
  const kitty = { ask: '\u001b[?u', on: '\u001b[>5u\u001b[?u', off: '\u001b[<u' }

  test.each<[env: Record<string, string>, on: string, off: string]>([
    [{ TERM: 'xterm-256color' }, paste.on + other.on + kitty.ask, paste.off + other.off],
    [{ TERM: 'tmux-256color' }, paste.on + other.on + kitty.ask, paste.off + other.off],
    [{ TERM: 'screen' }, paste.on + other.on + kitty.ask, paste.off + other.off],
    [{}, paste.on + other.on + kitty.ask, paste.off + other.off],
    [{ TERM: 'xterm', TERM_PROGRAM: 'WezTerm' }, paste.on + kitty.ask, paste.off],
    [{ TERM: 'linux' }, paste.on, paste.off],
    [{ TERM: 'linux-16color' }, paste.on, paste.off],
    [{ TERM: 'st-256color' }, paste.on, paste.off],
    [{ TERM: 'eterm-color' }, paste.on, paste.off],
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
