import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { needs } from '../helpers/installed.ts'
import { environment } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { inTurn, measure, type Place, type Program, prints } from './measure.ts'

beforeEach(needs('bash'))

function place(): Place {
  return { folder: emptyFolder(), env: environment() }
}

function script(text: string, more: Partial<Program> = {}): Program {
  return { label: 'it', command: [process.execPath, '-e', text], problem: prints('whole'), ...more }
}

test.each([
  ['fails', `console.error('no such thing'); process.exitCode = 3`, 'failed with status 3: no such thing'],
  ['warns', `console.log('whole'); console.error('careful')`, 'wrote to standard error: careful'],
  ['answers short', `console.log('wh')`, 'printed 3 of 5 characters'],
  ['answers something else', `console.log('while')`, 'printed something else, from character 2 on'],
])('a program that %s is an error', async (_what, text, problem) => {
  await expect(measure(script(text), place())).rejects.toThrow(`it: ${problem}`)
  await expect(measure(script(text, { terminal: true }), place())).rejects.toThrow(/^it: /)
})

test('CPU time is that of the program and of those it starts, and does not include waiting', async () => {
  const busy = 'while (process.cpuUsage().user < 150_000) for (let count = 0; count < 1e6; count++);'
  const child = `require('child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(busy)}])`
  const wait = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)'
  const programs = [busy, child, wait].map((text) => script(`${text}; console.log('whole')`))
  const samples = await inTurn(programs, 1, place())
  const [own, started, waited] = [...samples.values()].map(([sample]) => sample?.cpu ?? 0)
  expect(Math.min(own ?? 0, started ?? 0)).toBeGreaterThan(150)
  expect(waited).toBeLessThan(300)
})

test('programs take turns, and a round before those that count warms up', async () => {
  const own = place()
  const log = join(own.folder, 'log')
  const [one, other] = ['a', 'b'].map((name) => {
    return script(`require('fs').appendFileSync(${JSON.stringify(log)}, '${name}'); console.log('whole')`)
  }) as [Program, Program]
  const samples = await inTurn([one, { ...other, rounds: 1 }], 2, own)
  expect(readFileSync(log, 'utf8')).toBe('ababa')
  expect([...samples.values()].map(({ length }) => length)).toEqual([2, 1])
})
