/** Each operation agrees with the specification, the commands and the sandbox. */

import { afterAll, describe, expect, test } from 'vitest'
import { operations, type OperationRow } from '../../src/api/operations.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { commands } from '../helpers/commands.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { specifiedFields, specifiedOperations } from '../helpers/specification.ts'

const rows: [name: string, row: OperationRow][] = Object.entries(operations)

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

/** Arguments for an operation that takes more than a text. */
const wordsOf: Readonly<Record<string, readonly string[]>> = {}

describe.each(rows)('%s', (name, { method, path, otherPaths = [], command, isInference = false }) => {
  const definition = commands.find(({ name }) => name === command)?.definition

  test('its command sends it', async () => {
    const words = wordsOf[name] ?? (method === 'GET' ? [] : ['hi'])
    const model = definition?.fields?.model ? ['-m', 'hf:a/b'] : []
    const { code, out } = await runSyn([command, '--curl', ...model, ...words])
    expect(code).toBe(0)
    expect(out).toContain(`curl -sS --no-buffer "$SYN_BASE_URL${path}"`)
  })

  const sandbox = startSandbox({ port: 0, isPaced: false })
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
