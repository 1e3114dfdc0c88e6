/** Keys, text and pastes from the bytes of a terminal. */

import { readFileSync } from 'node:fs'
import { type Io, type TerminalSink, terminalSink } from '../../../src/io/io.ts'
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
  readonly out: TerminalSink
  /** What was written since the last call. */
  written(): string
  /** The sequence that is written when the process exits. */
  restoring(): string
  type(bytes: string): void
}

function terminal(env: Record<string, string>, options = {}): Terminal {
  const stream = Object.assign(new PassThrough(), { setRawMode: () => undefined })
  let written = ''
  let restoring = ''
  const received: KeyboardInput[] = []
  const out = terminalSink(async (text) => void (written += text), { columns: () => 80 })
  const io = {
    in: { openTerminal: () => stream },
    out,
    env,
    restoreAtExit: (sequence: string) => void (restoring = sequence),
  } as unknown as Io
  const listeners = {
    onInput: (input: KeyboardInput) => received.push(input),
    onResize: () => undefined,
    onEnd: () => undefined,
  }
  const keyboard = new Keyboard(io, listeners, options)
  onTestFinished(() => keyboard.release())
  return {
    keyboard,
    received,
    out,
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
    const { keyboard, written, restoring, type } = terminal(env)
    keyboard.acquire()
    expect(written()).toBe(on)
    expect(restoring()).toBe(off)
    // A reply to the program before it.
    if (!on.includes(kitty.ask)) type('\u001b[?5u')
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

describe('the focus', () => {
  const [on, off] = ['\u001b[?1004h', '\u001b[?1004l']

  test('is not reported by a dumb terminal', () => {
    const { keyboard, written } = terminal({ TERM: 'dumb' }, { reportsFocus: true })
    keyboard.acquire()
    expect(written()).toBe('')
  })

  test.each([
    ['', '\u001b[>4m\u001b[m'],
    // kitty
    ['\u001b[?0u\u001b[>1;4000;29c\u001b[?0u', '\u001b[<u'],
  ])('is reported until the terminal is released, after the replies %j', (replies, otherOff) => {
    const { keyboard, written, restoring, type, received, out } = terminal({ TERM: 'xterm' }, { reportsFocus: true })
    expect(out.hasFocus).toBeUndefined()
    keyboard.acquire()
    expect(written().split(on)).toHaveLength(2)
    for (const reply of replies.split(/(?<=c)/)) type(reply)
    for (const [report, hasFocus] of [
      ['\u001b[O', false],
      ['\u001b[I', true],
      ['\u001b[O', false],
    ] as const) {
      type(report)
      expect(out.hasFocus).toBe(hasFocus)
    }
    expect(written()).not.toContain('1004')
    expect(restoring()).toContain(off)
    keyboard.release()
    const released = written()
    expect([released.split(off).length, released.includes(otherOff)]).toEqual([2, true])
    keyboard.acquire()
    expect([written().split(on).length, out.hasFocus, received]).toEqual([2, true, []])
  })
})

interface Model {
  readonly env?: Record<string, string>
  /** What it answers to DA2, and whether it knows the kitty protocol. */
  readonly attributes: string
  readonly hasProtocol?: boolean
  /** What it sends in place of text for AltGr, while the protocol is on (default: the text). */
  readonly altGr?: (key: number) => string
}

/**
 * Recorded: xterm and kitty. The protocol sends text as text ("Disambiguate escape codes"). DA2 of the others:
 * notcurses #1581 (foot), alacritty #3100 and its version_number(), of Ghostty and VTE as their sources have them.
 */
const models: Readonly<Record<string, Model>> = {
  xterm: { attributes: '41;379;0' },
  kitty: { attributes: '1;4000;26', hasProtocol: true },
  'Windows Terminal': {
    env: { WT_SESSION: '7c0d7b5e' },
    attributes: '0;10;1',
    hasProtocol: true,
    // fish-shell #12579, claude-code #94873
    altGr: (key) => `\u001b[${key};3u`,
  },
  // microsoft/terminal #6850
  'Windows Terminal over SSH': { attributes: '0;10;1', hasProtocol: true, altGr: (key) => `\u001b[${key};3u` },
  foot: { attributes: '1;010402;0', hasProtocol: true },
  Alacritty: { attributes: '0;1500;1', hasProtocol: true },
  Ghostty: { attributes: '1;10;0', hasProtocol: true },
  WezTerm: { env: { TERM_PROGRAM: 'WezTerm' }, attributes: '1;277;0', hasProtocol: true },
  VTE: { attributes: '65;7600;1' },
}

const layouts = readFileSync(new URL('../../fixtures/keyboard-layouts.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => /^\w/.test(line))
  .map((line): [layout: string, keys: string[]] => [line.replace(/ .*/, ''), line.split(' ').slice(1)])

describe.each(Object.entries(models))('%s', (_name, { env, attributes, hasProtocol = false, altGr }) => {
  test.each(layouts)('types each printable key of the layout %s, and Alt keeps its meaning', (_layout, keys) => {
    const { keyboard, received, written, type } = terminal({ TERM: 'xterm-256color', ...env })
    let isOn = false
    keyboard.acquire()
    for (let asked = written(); asked !== ''; asked = written()) {
      isOn ||= asked.includes('\u001b[>5u')
      const replies = (asked.match(/\u001b\[(?:\?u|>c)/g) ?? []).map((question) =>
        question.endsWith('c') ? `\u001b[>${attributes}c` : hasProtocol ? `\u001b[?${isOn ? 5 : 0}u` : '',
      )
      type(replies.join(''))
    }
    expect(isOn).toBe(hasProtocol && altGr === undefined)
    const levels = keys.flatMap((key) => [...key].map((text, level) => ({ key, text, level })))
    for (const { key, text, level } of levels.filter((one) => one.text !== '␀')) {
      type(isOn && level > 1 && altGr ? altGr(key.codePointAt(0) ?? 0) : text)
      expect(received.splice(0)).toEqual([{ kind: 'text', text }])
    }
    type(isOn ? '\u001b[98;3u' : '\u001bb')
    expect(received).toEqual([{ kind: 'key', name: 'alt-b' }])
  })
})
