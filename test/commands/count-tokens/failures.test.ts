/** Failures: the exit status, and nothing on standard output. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { count, countTokens } from '../../helpers/count-tokens.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'
import { json, startService } from '../../helpers/service.ts'

describe('a reply without a count is invalid', () => {
  test.each<[reply: unknown, found: string]>([
    [{}, '{}'],
    [{ input_tokens: '20' }, '{"input_tokens":"20"}'],
  ])('%j', async (reply, found) => {
    expect(await countTokens(['hi'], { answer: json(reply) })).toMatchObject({
      code: 6,
      out: '',
      err: `syn: the reply contains no token count: ${found}\n`,
    })
  })
})

test.each<[status: number, code: number]>([
  [400, 1],
  [402, 5],
])('status %i is exit %i', async (status, code) => {
  const answer = json({ type: 'error', error: { type: 'some_error', message: 'No such luck' } }, status)
  const outcome = await countTokens(['--retries', '0', 'hi'], { answer })
  expect(outcome).toMatchObject({ code, out: '' })
  expect(outcome.err).toMatch(/^syn: No such luck \(\d+ /)
})

describe('a model that was rotated out', () => {
  async function ask(...argv: string[]): Promise<string> {
    await using service = await startService((asked, response) => {
      const isList = asked.path.endsWith('/models')
      return (isList ? json({ data: [{ id: 'hf:org/model-2' }] }) : json({ error: 'Gone' }, 404))(asked, response)
    })
    const { code, out, err } = await runSyn(['count-tokens', ...argv], { env: service.env })
    expect({ code, out }).toEqual({ code: 4, out: '' })
    return err
  }

  test('gets a hint with the alias, without --fallback, which this command lacks', async () => {
    expect(await ask('-m', 'hf:org/model-1', 'hi')).toBe(
      'syn: Gone (404 Not Found)\nhint: the model may have been rotated out; available: hf:org/model-2. ' +
        'Use -m syn:large:text\n',
    )
  })
})

describe('of several files', () => {
  const folder = emptyFolder()
  const paths = ['a', 'b', 'c'].map((name) => join(folder, name))
  for (const path of paths) writeFileSync(path, `${path}\n`)
  const argv = ['count-tokens', ...paths.flatMap((path) => ['-f', path])]

  test('the file that fails is named, and no count is printed', async () => {
    await using service = await startService((asked, response) => {
      const isSecond = asked.body.includes(paths[1] ?? '')
      return (isSecond ? json({ error: 'Context limit exceeded' }, 400) : count(4))(asked, response)
    })
    expect(await runSyn(argv, { env: service.env })).toEqual({
      code: 1,
      out: '',
      err: `syn: Context limit exceeded (400 Bad Request)\nhint: the request contained ${paths[1]}\n`,
    })
  })
})
