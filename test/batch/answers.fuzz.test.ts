/** The store of answers: its lines, which of them answer which row, and runs that continue with any part of it. */

import fc from 'fast-check'
import { closeSync, openSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decodeLine, encodeLine } from '../../src/batch/answers/line.ts'
import { lineReader } from '../../src/batch/answers/line-reader.ts'
import { RowAnswers } from '../../src/batch/answers/rows.ts'
import { scanStore } from '../../src/batch/answers/scan.ts'
import { BatchProgram } from '../helpers/batch-program.ts'
import { batchAnswer, startBatchService } from '../helpers/batch-service.ts'
import { isRecord } from '../helpers/recorded-run.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { samples } from '../helpers/samples.ts'

test('a line is read as it was written, and with one bit changed it is none', () => {
  const head = fc.dictionary(
    fc.string().map((key) => `_${key}`),
    fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.constant(null)),
  )
  fc.assert(
    fc.property(head, fc.option(fc.json()), fc.nat(), fc.nat(7), (others, result, at, bit) => {
      const written = result === null ? others : { hash: 'f', ...others }
      const line = Buffer.from(encodeLine(written, result ?? undefined))
      expect(line.indexOf('\n')).toBe(line.length - 1)
      const bytes = line.subarray(0, -1)
      expect(decodeLine(bytes)).toEqual({ head: written, result: result ?? '' })
      const changed = at % bytes.length
      bytes[changed] = (bytes[changed] ?? 0) ^ (1 << bit)
      expect(decodeLine(bytes)).toBeUndefined()
    }),
    samples(100),
  )
})

test('lines are read at any distance, also long ones', () => {
  const lines = Array.from({ length: 300 }, (_, at) => `${at} ${'x'.repeat(at % 100 === 7 ? 1_500_000 : 3000)}`)
  const path = join(emptyFolder(), 'store')
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
  const offsets = lines.map((_, at) => lines.slice(0, at).reduce((sum, line) => sum + line.length + 1, 0))
  const file = openSync(path, 'r')
  const readLine = lineReader(file)
  for (let at = 0; at < 300; at++) {
    const row = (at * 7919) % 300
    expect(readLine(offsets[row] ?? 0).equals(Buffer.from(lines[row] ?? ''))).toBe(true)
  }
  expect(() => readLine(statSync(path).size)).toThrow('no line at byte')
  closeSync(file)
})

/** The first bits of some are equal. */
const hash = fc.constantFrom('0000000a', '0000000b', '7fffffff', 'ffffffff').map((start) => start.padEnd(32, '1'))
const limit = fc.constantFrom(10, 20, Infinity)
const row = fc.record({ hash: fc.option(hash, { nil: undefined, freq: 9 }), limit })
const given = fc.record({
  hash,
  own: fc.nat(12),
  cutAt: fc.option(limit, { nil: undefined }),
  forgets: fc.option(fc.nat(20), { nil: undefined, freq: 12 }),
})

test('an answer is that of its row, or else the k-th of a request that of its k-th row', () => {
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 12 }),
      fc.array(given, { maxLength: 20 }),
      fc.boolean(),
      (rows, all, isShared) => {
        const answers = new RowAnswers(isShared)
        for (const { hash: own, limit: most } of rows) answers.add(own, most)
        const expected: (number | undefined)[] = rows.map(() => undefined)
        /** Rows that have no record, with this hash. */
        const open = (own: string, fits: (limit: number) => boolean): number[] =>
          [...rows.keys()].filter((at) => expected[at] === undefined && rows[at]?.hash === own && fits(rows[at].limit))
        for (const [at, { hash: of, own, cutAt, forgets }] of all.entries()) {
          const offset = at + 1
          if (forgets !== undefined) {
            answers.forget({ start: forgets, end: Infinity })
            for (const [one, taken] of expected.entries()) if ((taken ?? -1) >= forgets) expected[one] = undefined
          }
          // A service without a limit has one of its own, and any other may be higher.
          const takes = (most: number): boolean =>
            cutAt === undefined || (cutAt === Infinity ? most === Infinity : most <= cutAt)
          const fitting = open(of, takes)
          const takers = isShared ? fitting : fitting.includes(own) ? [own] : fitting.slice(0, 1)
          for (const one of takers) expected[one] = offset
          expect(answers.give(of, own, offset, cutAt)).toBe(takers.length)
        }
        const offsets = expected.filter((one) => one !== undefined)
        expect(rows.map((_, at) => answers.offsetOf(at))).toEqual(expected)
        expect(answers.answered).toBe(offsets.length)
        expect(answers.records).toBe(new Set(offsets).size)
        for (const [at, { hash: own, limit: most }] of rows.entries()) {
          if (own === undefined || expected[at] !== undefined) continue
          // One that asks for as much is sent before it.
          expect(answers.isFirst(at)).toBe(!isShared || open(own, (other) => other >= most)[0] === at)
        }
      },
    ),
    samples(300),
  )
})

test('of a store that was torn at any byte, all whole lines count', async () => {
  await using service = await startBatchService()
  const batch = new BatchProgram(service, ['a', 'b'])
  expect(await batch.file()).toMatchObject({ code: 0 })
  const store = `${batch.output}.answers`
  const text = readFileSync(store, 'utf8')
  for (let size = text.length; size >= 0; size--) {
    truncateSync(store, size)
    const whole = text
      .slice(0, size)
      .split(/(?<=\n)/)
      // The last line counts too, if only its line end is lost.
      .filter((line) => line.endsWith('\n') || (line !== '' && text.charAt(size) === '\n'))
    const file = openSync(store, 'r')
    const options = { answers: new RowAnswers(false), signal: new AbortController().signal, retriesEmpty: false }
    const summary = await scanStore(file, store, options)
    closeSync(file)
    const { size: end, damaged, outputs } = summary
    expect({ size, answers: summary.answers(), end, damaged, outputs: outputs.length }).toEqual({
      size,
      answers: whole.filter(isRecord).length,
      end: Math.min(size, whole.join('').trimEnd().length + (whole.length > 1 ? 1 : 0)),
      damaged: 0,
      outputs: whole.filter((line) => line.includes('"output":{')).length,
    })
  }
})

const words = ['a', 'b', 'c', 'd', 'é "x"', '{"a":1}', '\\', 'x'.repeat(5000)]
const input = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 })

/** A run that is killed: its input, and how many bytes of the end are lost, or which byte is damaged. */
const killedRun = fc.record({ rows: input, torn: fc.nat(2000), damages: fc.option(fc.nat()) })

test('killed at any moment, with the end of the store torn off, a byte of it damaged, and the input edited', async () => {
  await using service = await startBatchService()
  await fc.assert(
    fc.asyncProperty(fc.array(killedRun, { maxLength: 4 }), input, async (runs, rows) => {
      const [batch, clean] = [new BatchProgram(service), new BatchProgram(service, rows)]
      const store = `${batch.output}.answers`
      for (const { rows: edited, torn, damages } of runs) {
        batch.write(edited)
        await batch.file('--lines')
        const bytes = readFileSync(store).subarray(0, -torn || undefined)
        // The first line tells what the file is.
        const at = 1000 + ((damages ?? 0) % Math.max(1, bytes.length - 1000))
        if (damages !== null && at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ 4
        writeFileSync(store, bytes)
        rmSync(batch.output, { force: true })
      }
      batch.write(rows)
      const recorded = runs.length === 0 ? [] : recordedIn(store)
      await service.resetCounts()
      const { code, err } = await batch.file('--lines')
      const { answered } = await service.counts()
      if (recorded.length > 0 && !recorded.some((one) => rows.includes(one))) {
        expect({ code, err, answered }).toMatchObject({
          code: 2,
          err: expect.stringContaining('no answer in ') as string,
          answered: 0,
        })
        return
      }
      // What was recorded is not sent again, and nothing else is left out.
      const rest = [...recorded]
      const unsent = rows.filter((one) => !rest.includes(one) || !rest.splice(rest.indexOf(one), 1))
      expect({ code, err, answered }).toMatchObject({ code: 0, answered: unsent.length })
      await clean.file('--lines')
      expect(readFileSync(batch.output, 'utf8')).toBe(readFileSync(clean.output, 'utf8'))
    }),
    samples(15),
  )
})

/** The rows with an answer in a whole line. */
function recordedIn(store: string): string[] {
  const byAnswer = new Map(words.map((word) => [batchAnswer(word), word]))
  const lines = readFileSync(store, 'latin1').split('\n').slice(0, -1)
  return lines.flatMap((line) => {
    const { result } = decodeLine(Buffer.from(line, 'latin1')) ?? { result: '' }
    return byAnswer.get(/"content":"([^"]*)"/.exec(result)?.[1] ?? '') ?? []
  })
}
