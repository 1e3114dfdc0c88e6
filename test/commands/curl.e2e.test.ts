/** `--curl` of every operation: in a shell it asks the service for what the command itself asks for. */

import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { operations, type OperationName } from '../../src/api/operations.ts'
import { environment } from '../helpers/program.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { json, startService, testKey } from '../helpers/service.ts'

const special = '$HOME `ls` "double" \'single\' \\ !\nJSON\n%s'

const lines: Readonly<Record<OperationName, readonly string[]>> = {
  models: ['--refresh'],
  chat: ['--temperature', '0.5', '--stop', "it's", special],
  completions: [special],
  embeddings: ['-m', 'hf:a/b', "it's", special],
  messages: [special],
  countTokens: [special],
  quota: [],
  search: [special],
}

describe.skipIf(spawnSync('curl', ['--version']).error)('where curl is installed', () => {
  test.each(Object.entries(lines) as [OperationName, string[]][])('%s', async (name, argv) => {
    const { command, method, path } = operations[name]
    await using service = await startService(json({ error: 'no' }, 400))
    const { SYN_BASE_URL } = service.env
    for (const [env, unset] of [
      [{}, 'SYN_BASE_URL and SYN_API_KEY'],
      [{ SYN_BASE_URL }, 'SYN_API_KEY'],
    ] as const) {
      const shown = await runSyn([command, '--curl', ...argv], { env: { HOME: emptyFolder(), ...env } })
      expect({ ...shown, out: '' }).toEqual({ code: 0, out: '', err: `syn: set ${unset} to run this command\n` })
      expect(shown.out).not.toContain(testKey)
      const { stdout } = await promisify(execFile)('sh', ['-c', shown.out], { env: environment(service) })
      expect(stdout).toBe('{"error":"no"}')
    }
    await runSyn([command, '--retries', '0', ...argv], { env: service.env })
    const [first, second, own] = service.asked
    expect(own).toMatchObject({ method, path })
    for (const asked of [first, second]) {
      expect(asked).toMatchObject({ method, path, json: own?.json })
      for (const header of ['authorization', 'content-type', 'anthropic-version']) {
        expect(asked?.headers[header]).toBe(own?.headers[header])
      }
    }
  })
})
