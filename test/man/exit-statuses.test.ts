/** The exit statuses that a command's page lists are those that the command returns. */

import { describe, expect, test } from 'vitest'
import { manPages } from '../../man/pages.ts'
import { operations } from '../../src/api/operations.ts'
import { fixture, type Family } from '../helpers/fixtures.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { events, json, startService, type Answer } from '../helpers/service.ts'

const pages = await manPages()

/** Apart from 0. */
function listed(command: string): number[] {
  const [, section = ''] = /^\.Sh EXIT STATUS\n(.*?)^\.Sh /ms.exec(pages.get(`syn-${command}.1`) ?? '') ?? []
  return [...section.matchAll(/^\.It (\d+)$/gm)].map(([, code]) => Number(code)).filter((code) => code !== 0)
}

const stream = (family: Family): string => fixture('truncated', family).toString('utf8')
const refusals = [400, 401, 404, 429, 500].map((status) => json({ error: 'no' }, status))
const embedding = json({ data: [{ index: 0, embedding: [1] }] })
const quota = json({ subscription: { requests: 9, limit: 10 } })

/** Runs that exit with status 7 or 8. */
const further: Readonly<Record<string, { argv: string[]; answers: Answer[] }>> = {
  chat: { argv: [], answers: [events(stream('chat'))] },
  complete: { argv: [], answers: [events(stream('completions'))] },
  messages: { argv: [], answers: [events(stream('messages'))] },
  embed: { argv: ['--batch-size', '1', 'text'], answers: [embedding, json({}, 500)] },
  quota: { argv: ['--fail-below', '2'], answers: [quota] },
  'count-tokens': { argv: ['--max', '1'], answers: [json({ input_tokens: 2 })] },
}

const requesting = Object.values(operations).map(({ command, method }) => [command, method] as const)

describe.each(requesting)('syn %s', (command, method) => {
  const words = method === 'GET' ? [] : ['hi']
  const model = command === 'embed' ? ['-m', 'hf:a/b'] : []

  async function codeOf(argv: readonly string[], answers: readonly Answer[]): Promise<number> {
    await using service = await startService(...answers)
    const { code } = await runSyn([command, '--retries', '0', ...model, ...argv, ...words], { env: service.env })
    return code
  }

  test('every status of its page, and no other', async () => {
    const codes = [await codeOf(['--nonsense'], [json({})])]
    for (const refusal of refusals) codes.push(await codeOf([], [refusal]))
    const { argv, answers } = further[command] ?? {}
    if (argv && answers) codes.push(await codeOf(argv, answers))
    expect(codes.toSorted((one, other) => one - other)).toEqual(listed(command))
  })
})

test.each([
  ['sessions', ['show', 'nope'], 2],
  ['config', ['get', 'api-key'], 1],
  ['config', ['get', 'nope'], 2],
  ['completion', ['nope'], 2],
  ['logout', ['--profile', 'nope'], 2],
  ['login', [], 2],
  ['sandbox', ['--port', 'nope'], 2],
])('syn %s %j: %i', async (command, argv, code) => {
  expect(listed(command)).toContain(code)
  expect((await runSyn([command, ...argv])).code).toBe(code)
})
