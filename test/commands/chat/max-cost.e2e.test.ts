/** `--max-cost` in syn chat and syn messages: what is sent, and what is kept when it stops. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Call, dialects } from '../../helpers/dialects.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'
import { type Answer, json, startService } from '../../helpers/service.ts'

const folder = emptyFolder()
const toolsFile = join(folder, 'tools.json')
writeFileSync(toolsFile, JSON.stringify({ tools: { clock: { command: ['echo', 'noon'] } } }))

const clock: Call = { call: 'clock', given: '{}' }

/** A token of a prompt costs a cent, one of an answer two. */
const list = {
  data: [
    { id: 'hf:a/b', pricing: { prompt: '$0.01', completion: '$0.02' } },
    { id: 'hf:dear', pricing: { prompt: '$1', completion: '$2' } },
  ],
}

async function run(argv: string[], answers: Answer[], env: Record<string, string> = {}) {
  await using service = await startService(json(list), ...answers)
  const outcome = await runSyn([...argv, ...(argv.includes('-m') ? [] : ['-m', 'hf:a/b'])], {
    env: { ...service.env, ...env },
  })
  const prompts = service.asked.filter(({ path }) => !path.endsWith('/models'))
  return { ...outcome, sent: prompts.length, last: JSON.stringify(prompts.at(-1)?.json) }
}

describe.each(dialects)('$name', ({ argv, streamed }) => {
  const ask = ['chat', ...argv, '--tools-file', toolsFile, '--allow', 'clock', 'Time?']

  test('the request after a call is not sent if it would cost more', async () => {
    // The first answer has 3 and 2 tokens.
    const { code, out, err, sent } = await run([...ask, '--max-cost', '0.45'], [streamed('', clock), streamed('Noon.')])
    expect({ code, out, sent }).toEqual({ code: 8, out: '', sent: 1 })
    expect(err).toMatch(
      /^syn: stopped at --max-cost \$0\.45: \$0\.0\d+ spent, and the next request may cost about \$0\.\d+$/m,
    )
    expect(err).toContain('hint: use a higher --max-cost to continue\n')
  })

  test('the results of the tools are kept, and -c continues', async () => {
    const env = { XDG_CONFIG_HOME: emptyFolder(), XDG_DATA_HOME: emptyFolder(), XDG_STATE_HOME: emptyFolder() }
    const stopped = await run([...ask, '--session', 'x', '--max-cost', '0.45'], [streamed('', clock)], env)
    expect(stopped.code).toBe(8)
    const continued = ['chat', ...argv, '--session', 'x', '--no-stdin', '--max-cost', '100']
    const { code, out, last } = await run(continued, [streamed('Noon.')], env)
    expect({ code, out }).toEqual({ code: 0, out: 'Noon.\n' })
    expect(last).toContain('noon')
  })

  test('a prompt that alone costs more is not sent', async () => {
    const { code, sent } = await run(['chat', ...argv, '--max-cost', '1', 'word '.repeat(500)], [])
    expect({ code, sent }).toEqual({ code: 8, sent: 0 })
  })
})

test('a model of --fallback that costs more is not asked', async () => {
  const argv = ['chat', '--fallback=hf:dear', '--retries', '0', '--max-cost', '0.45', 'Time?']
  const { code, err, sent } = await run(argv, [json({ error: 'overloaded' }, 503)])
  expect({ code, sent }).toEqual({ code: 8, sent: 1 })
  expect(err).toContain('stopped at --max-cost $0.45')
})

test('without a price, nothing is sent', async () => {
  const { code, err, sent } = await run(['messages', '--max-cost', '1', 'Hi', '-m', 'hf:other'], [])
  expect({ code, sent }).toEqual({ code: 2, sent: 0 })
  expect(err).toContain('syn: --max-cost: the model list has no price for ')
})
