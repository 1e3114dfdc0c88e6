import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { needs } from '../helpers/installed.ts'
import { environment, start } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { main } from './main.ts'
import { tsx } from './run.ts'

/** In this process: what starts most is what is measured. */
async function bench(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', '']
  const code = await main(['--rounds', '1', ...argv], {
    out: (text) => (out += text),
    err: (text) => (err += text),
  })
  return { code, out, err }
}

/** A program in place of syn, which can log in. */
function programThat(script: string): string {
  const path = join(emptyFolder(), 'program.cjs')
  writeFileSync(path, `if (process.argv[2] !== 'login') { ${script} }`)
  return path
}

test('--json has the figures, and what they were measured on', async (context) => {
  needs('bash')(context)
  const file = fileURLToPath(new URL('bench.ts', import.meta.url))
  const argv = [...tsx, file, '--rounds', '1', '--only', 'startup/version', '--json']
  const { code, out, err } = await start(process.execPath, argv, environment()).ended
  expect({ code, err }).toEqual({ code: 0, err: `bench: Node ${process.versions.node}: startup\n` })
  const [run] = JSON.parse(out) as { figures: object[] }[]
  expect(run).toMatchObject({ node: process.versions.node, machine: { system: `${process.platform} ${process.arch}` } })
  const [cpu, wall, first, ratio] = Array<unknown>(4).fill(expect.any(Number))
  expect(run?.figures).toEqual([
    { id: 'startup/node', label: 'node -e 0', cpu, wall },
    { id: 'startup/version', label: 'syn --version', cpu, wall, first, base: 'node -e 0', ratio },
  ])
})

test('no figure comes of a program that answers short', async (context) => {
  needs('bash')(context)
  const syn = programThat(`process.stdout.write(' The quick\\n')`)
  const { code, out, err } = await bench('--only', 'startup/request', '--syn', syn)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain('\nbench: syn chat hi: printed 11 of 16 characters\n')
})

test('--gate names the figure and the bound that it exceeds', async (context) => {
  needs('bash')(context)
  const syn = programThat(`for (const end = Date.now() + 100; Date.now() < end; ); process.stdout.write('1.2.3\\n')`)
  const { code, out, err } = await bench('--gate', '--only', 'startup/version', '--syn', syn)
  expect(code).toBe(1)
  expect(out).toMatch(/^syn --version .* exceeded$/m)
  expect(err).toMatch(/^bench: again, with more rounds: startup\/version$/m)
  expect(err).toMatch(/^bench: Node .*: startup\/version \(syn --version\): ratio [\d.]+, more than 1\.05 and \d+%\n$/m)
})
