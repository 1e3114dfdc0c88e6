/** The exit statuses that a command's page lists are those that the command returns. */

import { describe, expect, test } from 'vitest'
import { manPages } from '../../man/pages.ts'
import { otherSamples, requestSamples, withText } from '../helpers/command-lines.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { json, startService } from '../helpers/service.ts'

const pages = await manPages()

/** Apart from 0. */
function listed(command: string): number[] {
  const [, section = ''] = /^\.Sh EXIT STATUS\n(.*?)^\.Sh /ms.exec(pages.get(`syn-${command}.1`) ?? '') ?? []
  return [...section.matchAll(/^\.It (\d+)$/gm)].map(([, code]) => Number(code)).filter((code) => code !== 0)
}

const answers = [400, 401, 404, 429, 500].map((status) => json({ error: 'no' }, status))

describe.each(requestSamples)('syn %s', (command, { argv, exits = [] }) => {
  test('every status of its page, and no other', async () => {
    const codes: number[] = []
    for (const run of [{ argv: ['--nonsense'] }, ...answers.map((one) => ({ argv: [], answers: [one] })), ...exits]) {
      await using service = await startService(...('answers' in run ? run.answers : [json({})]))
      codes.push((await runSyn([command, '--retries', '0', ...run.argv, ...argv], { env: service.env })).code)
    }
    expect(codes.toSorted((one, other) => one - other)).toEqual(listed(command))
  })
})

const runs = otherSamples.flatMap(([command, { refused, exits = [] }]) =>
  [{ argv: refused, code: 2 }, ...exits].map(({ argv, code }) => [command, withText(argv, 'nope'), code] as const),
)

test.each(runs)('syn %s %j: %i', async (command, argv, code) => {
  expect(listed(command)).toContain(code)
  const outcome = await runSyn([command, ...argv])
  expect(outcome).toMatchObject({ code, out: '' })
  if (code === 2) expect(outcome.err).toContain('nope')
})
