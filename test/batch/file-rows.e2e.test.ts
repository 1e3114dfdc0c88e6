import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { environment, startSyn } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'

test('a file that standard output or standard error goes to is no row of --files', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'a'), 'one')
  // The files have a text before the run, as after >>.
  const files = ['out', 'err'].map((name) => join(folder, name))
  for (const file of files) writeFileSync(file, 'before\n')
  const [out = 0, err = 0] = files.map((file) => openSync(file, 'a'))
  const argv = ['batch', '--sandbox', '--files', join(folder, '*'), '-t', '{{.}}', '--keep', 'path', '--format', 'csv']
  const { code } = await startSyn(argv, environment(), ['ignore', out, err]).ended
  for (const file of [out, err]) closeSync(file)
  expect(code).toBe(0)
  expect(readFileSync(join(folder, 'err'), 'utf8')).toContain('1 row to send')
})
