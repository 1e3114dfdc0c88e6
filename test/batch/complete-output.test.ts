/** An output without a journal: only if it has the results of the input, nothing is to be sent. */

import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder, type Outcome, runSyn } from '../helpers/run-syn.ts'

describe.each(['out.jsonl', 'out.txt'])('%s of another run', (name) => {
  /** The outcome of the same command after a complete run, and after a change of its files. */
  async function again(change: (input: string, output: string) => void, argv: string[] = []): Promise<Outcome> {
    const folder = emptyFolder()
    const [input, output] = [join(folder, 'in.txt'), join(folder, name)]
    writeFileSync(input, 'a\n\nb\nc\n')
    const line = ['batch', input, '--sandbox', '-o', output]
    expect(await runSyn(line)).toMatchObject({ code: 0 })
    change(input, output)
    return runSyn([...line, ...argv])
  }

  test('nothing was changed', async () => {
    const { code, err } = await again(() => undefined)
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringContaining('is complete: nothing was sent') as string,
    })
  })

  test.each<[what: string, change: (input: string, output: string) => void, argv?: string[]]>([
    ['a row was added', (input) => appendFileSync(input, 'd\n')],
    ['a row was removed', (input) => writeFileSync(input, 'a\nb\n')],
    ['fewer rows are selected', () => undefined, ['--limit', '2']],
    ['results are missing', (_input, output) => writeFileSync(output, '{"id":"batch_req_0"}\n')],
  ])('%s', async (_what, change, argv) => {
    const { code, err } = await again(change, argv)
    expect(code).toBe(2)
    expect(err).toMatch(/is not of this run: .*\nhint: use --restart/)
  })

  test('the input is missing', async () => {
    const folder = emptyFolder()
    const output = join(folder, name)
    writeFileSync(output, '{"id":"batch_req_0"}\n')
    expect(await runSyn(['batch', join(folder, 'none.txt'), '--sandbox', '-o', output])).toMatchObject({ code: 2 })
  })
})

test('results of the same number of other rows', async () => {
  const folder = emptyFolder()
  const [input, output] = [join(folder, 'in.txt'), join(folder, 'out.jsonl')]
  const line = ['batch', input, '--sandbox', '-o', output]
  writeFileSync(input, 'a\nb\n')
  expect(await runSyn(line)).toMatchObject({ code: 0 })
  writeFileSync(input, 'a\nc\n')
  const { code, err } = await runSyn(line)
  expect(code).toBe(2)
  expect(err).toContain(`line 2 is not the result of ${input}, line 2`)
})
