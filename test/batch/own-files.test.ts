/** Files that `syn batch` must not replace: those that it reads, and those of somebody else. Nothing is sent. */

import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { BatchProgram } from '../helpers/batch-program.ts'
import { startBatchService } from '../helpers/batch-service.ts'
import { emptyFolder, type Outcome, runSyn } from '../helpers/run-syn.ts'

/** The service does not exist. */
const env = { SYN_BASE_URL: 'http://127.0.0.1:1', SYN_API_KEY: 'key' }

/** Runs with these files in a folder, which must stay as they are. */
async function refused(files: Record<string, string>, argv: (folder: string) => string[]): Promise<Outcome> {
  const folder = emptyFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const outcome = await runSyn(['batch', ...argv(folder)], { env })
  const left = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])
  expect(Object.fromEntries(left)).toEqual(files)
  return { ...outcome, err: outcome.err.replaceAll(`${folder}/`, '') }
}

test.each(['x.errors.jsonl', 'x.jsonl.answers', 'x.jsonl.partial-input'])(
  'the input is not %s beside the output',
  async (name) => {
    const { code, err } = await refused({ [name]: '{"prompt":"a"}\n' }, (folder) => [
      join(folder, name),
      '-o',
      join(folder, 'x.jsonl'),
    ])
    expect({ code, err }).toEqual({ code: 2, err: `syn: --output: ${name} is the input\n` })
  },
)

test('nor is it the store or the output through a link', async () => {
  const folder = emptyFolder()
  const [input, output] = [join(folder, 'in.jsonl'), join(folder, 'out.jsonl')]
  writeFileSync(input, '{"prompt":"a"}\n')
  linkSync(input, `${output}.answers`)
  expect(await runSyn(['batch', input, '-o', output, '--restart'], { env })).toMatchObject({
    code: 2,
    err: `syn: --output: ${output}.answers is the input\n`,
  })
  mkdirSync(join(folder, 'links'))
  const link = join(folder, 'links', basename(input))
  symlinkSync(input, link)
  expect(await runSyn(['batch', input, '-o', link], { env })).toMatchObject({
    code: 2,
    err: `syn: --output: ${link} is the input\n`,
  })
})

const hint = 'hint: move it, or choose another --output\n'
const isForeign = 'is not of a run of syn batch'

test.each([
  ['x.jsonl', 'x.errors.jsonl', isForeign, []],
  ['x', 'x.errors', isForeign, ['--restart']],
  ['x.csv', 'x.csv.answers', isForeign, []],
  ['x', 'x', 'was not written by syn batch: there is no x.answers', ['--restart']],
])('with -o %s, a file %s that is not of syn batch stays', async (output, name, message, options) => {
  const { code, err } = await refused({ 'in.txt': 'a\n', [name]: '{"level":"error"}\n' }, (folder) => [
    join(folder, 'in.txt'),
    '-o',
    join(folder, output),
    ...options,
  ])
  expect({ code, err }).toEqual({ code: 2, err: `syn: ${name} exists and ${message}\n${hint}` })
})

test.each([[[]], [['--restart']]])(
  'a file OUT.partial-… of another program stays, and beside a store a link: %j',
  async (options) => {
    await using service = await startBatchService()
    const batch = new BatchProgram(service, ['a'])
    const stays = async (make: (path: string) => void): Promise<void> => {
      for (const name of ['output', 'errors', 'input']) {
        const path = `${batch.output}.partial-${name}`
        make(path)
        const { ino, mtimeMs } = lstatSync(path)
        const { code, err } = await batch.file(...options)
        expect({ code, err }).toEqual({ code: 2, err: `syn: ${path} exists and ${isForeign}\n${hint}` })
        expect(lstatSync(path)).toMatchObject({ ino, mtimeMs })
        rmSync(path)
      }
    }
    await stays((path) => writeFileSync(path, 'An answer\n'))
    await stays((path) => symlinkSync('gone', path))
    expect(await batch.file()).toMatchObject({ code: 0 })
    await stays((path) => symlinkSync('gone', path))
    expect((await service.counts()).statuses).toEqual({ 200: 1 })
  },
)
