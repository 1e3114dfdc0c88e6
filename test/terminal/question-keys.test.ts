/** Which keys answer a question, outside the chat and in its line. Times are in milliseconds since the question is in sight. */

import { PassThrough } from 'node:stream'
import type { ReadStream } from 'node:tty'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Io, terminalSink } from '../../src/io/io.ts'
import { askKey } from '../../src/io/process/question.ts'
import { StandardInput } from '../../src/io/process/standard-input.ts'
import { safe } from '../../src/io/text/safe-text.ts'
import { History } from '../../src/terminal/line-editor/history.ts'
import { InputLine } from '../../src/terminal/line-editor/input-line.ts'
import type { Completer } from '../../src/terminal/line-editor/candidate-list.ts'
import { loadStyle } from '../../src/terminal/style.ts'
import { testIo } from '../helpers/run-syn.ts'

const question = safe`Run it?`
const signal = new AbortController().signal

/** Lets everything happen that does not wait for a timer. */
async function settled(): Promise<void> {
  for (let round = 0; round < 10; round++) await setImmediate()
}

class Asking {
  readonly input = new PassThrough()
  readonly io: Io
  written = ''
  time = 0

  constructor() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const write = async (text: string): Promise<void> => void (this.written += text)
    const sink = terminalSink(write, { columns: () => 80, window: undefined, stream: undefined })
    const terminal = Object.assign(this.input, { setRawMode: () => terminal }) as unknown as ReadStream
    this.io = testIo({
      in: new StandardInput('terminal', () => terminal),
      out: sink,
      err: sink,
      env: {},
      isPlain: () => true,
      elapsed: () => this.time,
    })
  }

  async typeAt(time: number, key: string): Promise<void> {
    vi.advanceTimersByTime(time - this.time)
    this.time = time
    await settled()
    if (key !== '') this.input.emit('data', key)
    await settled()
  }
}

async function inputLine(io: Io, complete: Completer = () => undefined): Promise<InputLine> {
  const style = await loadStyle(io, io.out, { color: 'never', theme: 'auto', isForced: false })
  const history = await History.open(undefined)
  const line = new InputLine({ io, style, history, complete, stopAnswer: () => undefined })
  onTestFinished(() => line.close())
  return line
}

/** Pressed one after the other: all of a row is tried at once. */
const meaningless: [what: string, keys: string][] = [
  ['arrows of xterm and its application mode (ctlseqs)', '\u001b[A\u001bOB\u001b[1;2C\u001b[1;5D\u001b[Z'],
  [
    'keys of VT220, rxvt (rxvtRef) and the Linux console',
    '\u001b[5~\u001b[6;5~\u001b[a\u001bOd\u001b[5^\u001b[1~\u001bOF',
  ],
  ['keys of the kitty protocol, with Num Lock', '\u001b[1;129D\u001b[1;1:1A\u001b[3;129~\u001b[5;129~'],
  ['Ctrl-L, digits and signs', '\f12?/- ٣！'],
  ['a digit', '1'],
]
const refusing = ['x', 'я', 'é', '\r', '1\r', '2 apples', '\u001b', '\u001b[27u', '\u001bx']
/** Enter, Esc, Ctrl-G, Ctrl-C and Alt-B with the kitty protocol and modifyOtherKeys, and a paste. */
const encoded = [
  '\u001b[57414u',
  '\u001b[27;2;13~',
  '\u001b[103;5u',
  '\u001b[99;5u',
  '\u001b[98;3u',
  '\u001b[200~1\u001b[201~',
]

type Ask = (asking: Asking) => Promise<(keys: string) => Promise<string | undefined>>

const places: Readonly<Record<string, Ask>> = {
  'outside the chat':
    async ({ io }) =>
    (keys) =>
      askKey(question, keys, io),
  'in the chat': async ({ io }) => {
    const line = await inputLine(io)
    return (keys) => line.readKey(question, { prompt: safe`[y/n/a] `, keys }, signal)
  },
}

const rows: [presses: string, answer: string | undefined, isEarly?: boolean][] = [
  ['310:y', 'y'],
  ['310:x', undefined],
  ['30:y, 700:y', 'y', true],
  // Held down since before it could be read: all of it counts for nothing.
  ['250:y, 500:y, 750:y, 1000:y, 1500:n', 'n', true],
  // Pressed twice, or held: the next question may be in sight when it is released.
  ['310:y, 400:y, 500:y, 900:n', 'n', true],
  // A word, and what is none.
  ['310:y, 450:e, 600:s', 'y'],
  ['310:a, 450: ', undefined],
  ['310:y, 450:\r', 'y'],
  // Esc, of which a terminal may send more within 200 ms.
  ['310:y, 590:\u001b', undefined],
  ['310:\u001b[A, 400:\u0004', undefined],
]

describe.each(Object.entries(places))('%s', (place, ask) => {
  const tooSoon = 'press again'

  // Both read the keys in the same way.
  test.each(place === 'in the chat' ? rows : rows.slice(0, 3))('%s', async (presses, answer, isEarly = false) => {
    const asking = new Asking()
    const asked = (await ask(asking))('yna')
    await vi.waitUntil(() => asking.written.includes('Run it?'), { interval: 1 })
    await settled()
    for (const press of presses.split(', ')) {
      const [at, key = ''] = press.split(':')
      await asking.typeAt(Number(at), key)
    }
    for (let waited = 0; waited < 10; waited++) await asking.typeAt(asking.time + 100, '')
    expect(await asked).toBe(answer)
    expect(asking.written.includes(tooSoon)).toBe(isEarly)
  })

  test.each(meaningless)('%s show it again', async (_what, key) => {
    const asking = new Asking()
    const asked = (await ask(asking))('yna')
    for (const [count, answer] of [key, 'y'].entries()) {
      await vi.waitUntil(() => asking.written.split('Run it?').length === count + 2, { interval: 1 })
      await settled()
      await asking.typeAt(asking.time + 310, answer)
      await asking.typeAt(asking.time + 310, '')
      asking.time += 510
      vi.advanceTimersByTime(510)
    }
    expect(await asked).toBe('y')
  })

  test.each(place === 'in the chat' ? [...refusing, ...encoded] : refusing)('%j refuses', async (key) => {
    const asking = new Asking()
    const asked = (await ask(asking))('yna')
    await vi.waitUntil(() => asking.written.includes('Run it?'), { interval: 1 })
    await settled()
    await asking.typeAt(310, key)
    for (let waited = 0; waited < 10; waited++) await asking.typeAt(asking.time + 100, '')
    expect(await asked).toBeUndefined()
  })

  test('the next question is not shown before 500 ms without a key', async () => {
    const asking = new Asking()
    const again = await ask(asking)
    const first = again('yna')
    await vi.waitUntil(() => asking.written.includes('Run it?'), { interval: 1 })
    await settled()
    await asking.typeAt(310, 'y')
    vi.advanceTimersByTime(400)
    expect(await first).toBe('y')
    asking.written = ''
    const second = again('yna')
    asking.time += 300
    await asking.typeAt(asking.time, 'y')
    expect(asking.written).not.toContain('Run it?')
    asking.time += 510
    await vi.waitUntil(() => asking.written.includes('Run it?'), { interval: 1, timeout: 5000 })
    await settled()
    await asking.typeAt(asking.time + 310, 'n')
    vi.advanceTimersByTime(400)
    expect(await second).toBe('n')
  })
})

test('in the chat, an Enter that waits for a completion answers nothing', async () => {
  const asking = new Asking()
  let complete = (): void => undefined
  const candidates = new Promise<[]>((resolve) => (complete = () => resolve([])))
  const line = await inputLine(asking.io, () => ({ start: 0, candidates }))
  for (const key of ['y', '\t', '\r']) await asking.typeAt(asking.time, key)
  asking.time += 600
  const asked = line.readKey(question, { prompt: safe`[y/n] `, keys: 'yn' }, signal)
  await vi.waitUntil(() => asking.written.includes('Run it?'), { interval: 1 })
  complete()
  await asking.typeAt(asking.time + 310, '')
  await asking.typeAt(asking.time, 'n')
  await asking.typeAt(asking.time + 310, '')
  expect(await asked).toBe('n')
  expect(await line.read({ prompt: safe`> ` })).toEqual({ kind: 'text', text: 'y' })
})
