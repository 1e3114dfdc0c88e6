/** Each operation agrees with the specification, the commands and the sandbox. */

import { afterAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/api/operations.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { requestSamples } from '../helpers/command-lines.ts'
import { commands } from '../helpers/commands.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { specifiedFields, specifiedOperations } from '../helpers/specification.ts'

test('each operation has a command', () => {
  expect(requestSamples.map(([, , operation]) => operation)).toEqual(Object.values(operations))
})

test.each(specifiedOperations())('section %s: the command has all fields of %s', (section, specified) => {
  const names = specifiedFields(section).map(([field]) => field)
  const [command] = requestSamples.find(([, , { method, path }]) => `${method} ${path}` === specified) ?? []
  const { fields } = commands.find(({ name }) => name === command)?.definition ?? {}
  expect(Object.keys((fields ?? {}) as object)).toEqual(expect.arrayContaining(names))
})

describe.each(requestSamples)('%s', (command, { argv }, { method, path, otherPaths = [], isInference = false }) => {
  test('its operation is sent', async () => {
    const { code, out } = await runSyn([command, '--curl', ...argv])
    expect(code).toBe(0)
    expect(out).toContain(`curl -sS --no-buffer "$SYN_BASE_URL${path}"`)
  })

  const sandbox = startSandbox({ port: 0, rate: 0 })
  afterAll(async () => (await sandbox).close())

  test.each([path, ...otherPaths])('the sandbox serves %s', async (one) => {
    const { baseUrl, key } = await sandbox
    const ask = (verb: string): Promise<Response> => {
      const headers = { authorization: `Bearer ${key}` }
      return fetch(baseUrl + one, { method: verb, headers, ...(verb === 'POST' && { body: '{}' }) })
    }
    const served = await ask(method)
    // A body without fields is refused by the endpoint itself: the route exists.
    expect(served.status).toBe(method === 'GET' ? 200 : 400)
    expect(served.headers.has('x-synthetic-quotas')).toBe(isInference)
    expect((await ask(method === 'GET' ? 'POST' : 'GET')).status).toBe(405)
  })
})
