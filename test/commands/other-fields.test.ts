/** A field that only another request has, and a word that only other services accept: the error shows how to send it. */

import { expect, test } from 'vitest'
import { runSyn } from '../helpers/run-syn.ts'

test.each<[argv: string[], error: string, param?: string]>([
  [['chat', '--api', 'messages', '--seed', '1'], '--seed needs --api chat', 'seed=VALUE'],
  [
    ['chat', '--tool-choice', 'atuo'],
    '--tool-choice: "atuo" is not accepted; expected auto, none, tool:NAME, a JSON object or a file (did you mean auto?)',
  ],
])('%j', async (argv, error, param) => {
  const hint = param === undefined ? '' : `hint: use -p ${param} to send it unchecked\n`
  expect(await runSyn([...argv, 'hi'])).toEqual({ code: 2, out: '', err: `syn: ${error}\n${hint}` })
})

test.each([[['complete', '--seed', '1', 'hi']], [['complete', '--input', 'hi']]])('%j', async (argv) => {
  const { code, err } = await runSyn(argv)
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringContaining(`\nhint: use syn ${argv[0]} --help to list the options\n`),
  })
})
