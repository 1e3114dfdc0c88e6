/** `syn models` against a server that is not our own idea of the API: its rows tell little but their ids. */

import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runSyn, type Outcome } from '../../helpers/run-syn.ts'

const mock = new LLMock({ port: 0 })

beforeAll(async () => void (await mock.start()))
afterAll(() => mock.stop())

function models(...argv: string[]): Promise<Outcome> {
  return runSyn(['models', ...argv], { env: { SYN_BASE_URL: mock.url, SYN_API_KEY: 'aimock-takes-any' } })
}

test('ids are listed, as the service has them', async () => {
  const { out } = await models('--json')
  const { data } = JSON.parse(out) as { data: { id: string }[] }
  expect(data.length).toBeGreaterThan(1)
  const { code, out: ids, err } = await models('--ids')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(ids.split('\n').filter((id) => id !== '' && !id.startsWith('syn:'))).toEqual(data.map(({ id }) => id))
})
