/** `syn embed --sandbox` as the built program: many texts, in pipes and loops. */

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { linesOf } from '../../helpers/embed.ts'
import { needs } from '../../helpers/installed.ts'
import { npyRows } from '../../helpers/npy.ts'
import { environment, quoted, shell } from '../../helpers/program.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'

const count = 1500
const folder = emptyFolder()
const lines = join(folder, 'lines.txt')
writeFileSync(lines, Array.from({ length: count }, (_, number) => `line ${number}\n`).join(''))

test('a pipe is read once; that of a process substitution is not a text', async () => {
  expect(await shell('syn embed --sandbox <(echo hi)', environment())).toMatchObject({ code: 2, out: '' })
  const options = '--sandbox --dimensions 2 --with-text --no-stdin --lines'
  const { err, out } = await shell(`syn embed ${options} -f <(printf "a\\nb\\n")`, environment())
  expect({ err, texts: linesOf(out).map(({ text }) => text) }).toEqual({ err: '', texts: ['a', 'b'] })
})

test('in a while read loop, standard input is left to the loop', async () => {
  const line = `head -n 2 ${quoted(lines)} | while read -r text; do syn embed --sandbox --no-stdin --dimensions 2 "$text"; done`
  expect(linesOf((await shell(line, environment())).out)).toHaveLength(2)
})

test('on a full disk, the header of a NumPy array has the number of the rows before', async () => {
  const line = `cd "$HOME"; ulimit -f 40; syn embed --sandbox --dimensions 16 --lines --batch-size 10 -o e.npy < ${quoted(lines)}
    head -c 128 e.npy.partial | tail -c +11`
  const { out, err } = await shell(line, environment())
  expect(err).toMatch(/^syn: .*cannot write e.npy: .*\nhint: the output so far is kept in e.npy.partial\n$/)
  // 40 KiB less 128 bytes have room for 638 rows of 64 bytes.
  expect(out).toMatch(/'shape': \(630, 16\), \} *\n$/)
})

const numpy = 'import importlib.util, sys; sys.exit(importlib.util.find_spec("numpy") is None)'

test('NumPy reads its array', async (context) => {
  needs('NumPy', spawnSync('python3', ['-c', numpy]).status === 0)(context)
  const file = join(folder, 'e.npy')
  const argv = ['embed', '--sandbox', '--lines', '--dimensions', '16', '-o', file]
  const stdin = readFileSync(lines, 'utf8').split('\n').slice(0, 100).join('\n')
  expect(await runSyn(argv, { stdin })).toMatchObject({ code: 0, err: '' })
  const script = 'import json, numpy, sys; a = numpy.load(sys.argv[1]); print(json.dumps([str(a.dtype), a.tolist()]))'
  const { stdout } = spawnSync('python3', ['-c', script, file], { encoding: 'utf8' })
  expect(JSON.parse(stdout)).toEqual(['float32', npyRows(readFileSync(file))])
})
