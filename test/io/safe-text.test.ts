/** Text for a terminal: what is made visible, and what the compiler rejects. */

import { expect, test } from 'vitest'
import { terminalSink, writeText, type Sink } from '../../src/io/io.ts'
import { safe, sanitizeForTerminal, sanitizeJson, sanitizeName } from '../../src/io/text/safe-text.ts'

test.each([
  ['a\tb\nc', 'a\tb\nc'],
  ['a\r\nb\rc', 'a\nb␍c'],
  ['\u001b]52;c;aGk=\u0007', '␛]52;c;aGk=␇'],
  ['\u0080\u009b\u009f', '\ufffd\ufffd\ufffd'],
  ['\u2066\u2067\u2068\u2069', '\ufffd\ufffd\ufffd\ufffd'],
  // Marks of direction do not change the order of other text, and names in Arabic and Hebrew need them.
  ['\u200e\u200f שלום é 👩‍🚀', '\u200e\u200f שלום é 👩‍🚀'],
])('%j', (text, shown) => {
  expect(sanitizeForTerminal(text)).toBe(shown)
  expect(sanitizeName(text)).toBe(shown.replace(/[\t\n]/g, ' '))
})

test('JSON keeps its value', () => {
  const value = { text: '\u001b\u007f\u009b\u202a\u2066\r\n', 'key\u202e': 1 }
  const shown = sanitizeJson(`{\r\n${JSON.stringify(value).slice(1)}\n`)
  expect(shown).toBe('{ \n"text":"\\u001b\\u007f\\u009b\\u202a\\u2066\\r\\n","key\\u202e":1}\n')
  expect(JSON.parse(shown)).toEqual(value)
})

test('only a sink that is no terminal gets text as it is', async () => {
  for (const isTerminal of [true, false]) {
    let written = ''
    const write = async (text: string | Uint8Array): Promise<void> => void (written += String(text))
    const columns = () => 80
    await writeText(isTerminal ? terminalSink(write, { columns }) : { isTerminal, columns, write }, '\u001bc')
    expect(written).toBe(isTerminal ? '␛c' : '\u001bc')
  }
})

test('a long text is written in pieces, of which none ends within a line break or a character', async () => {
  const written: string[] = []
  const write = async (text: string | Uint8Array): Promise<void> => void written.push(String(text))
  for (const [unit, shown] of [
    ['\r\n', '\n'],
    ['\ud83d\ude00', '\ud83d\ude00'],
    ['\u009b', '\ufffd'],
  ] as const) {
    for (const before of ['', 'x']) {
      written.length = 0
      await writeText(terminalSink(write, { columns: () => 80 }), before + unit.repeat(100_000))
      expect(written.length).toBeGreaterThan(1)
      expect(written.every((piece) => piece.isWellFormed())).toBe(true)
      expect(written.join('') === before + shown.repeat(100_000)).toBe(true)
    }
  }
})

/** Compiled, not run: an expected error that is missing is an error of `tsc`. */
export async function rejected(sink: Sink, text: string, bytes: Uint8Array): Promise<void> {
  // @ts-expect-error -- untrusted text
  await sink.write(text)
  // @ts-expect-error -- bytes
  await sink.write(bytes)
  // @ts-expect-error -- untrusted text in a template
  await sink.write(safe`${text}`)
  // @ts-expect-error -- a template of strings
  await sink.write(`${safe`a`}${text}`)
  // @ts-expect-error -- a concatenation
  await sink.write(safe`a` + text)
  await sink.write(sanitizeName(text))
  if (!sink.isTerminal) await sink.write(bytes)
}
