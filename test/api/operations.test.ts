/** Each operation agrees with the specification, the commands and the sandbox. */

import { afterAll, describe, expect, test } from 'vitest'
import { operations, type OperationName, type OperationRow } from '../../src/api/operations.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { commandSamples } from '../helpers/command-lines.ts'
import { commands } from '../helpers/commands.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { specifiedFields, specifiedOperations } from '../helpers/specification.ts'

type Row = OperationRow & Pick<(typeof operations)[OperationName], 'command'>

const rows: [name: string, row: Row][] = Object.entries(operations)

test('the specification has a request table for each section of the table', () => {
  const known = rows.flatMap(([, { section, method, path }]) => (section ? [[section, `${method} ${path}`]] : []))
  expect(specifiedOperations()).toEqual(known)
})

const specified = rows.flatMap(([name, { section, command }]) => (section ? [[name, section, command] as const] : []))

test.each(specified)('%s: the command has all fields of section %s', (_name, section, command) => {
  const names = specifiedFields(section).map(([field]) => field)
  const { fields } = commands.find(({ name }) => name === command)?.definition ?? {}
  expect(Object.keys((fields ?? {}) as object)).toEqual(expect.arrayContaining(names))
})

describe.each(rows)('%s', (_name, { method, path, otherPaths = [], command, isInference = false }) => {
  test('its command sends it', async () => {
    const { code, out } = await runSyn([command, '--curl', ...commandSamples[command].argv])
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
