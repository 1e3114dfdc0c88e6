/** `--curl` of every command: in a shell it asks the service for what the command itself asks for. */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { requestSamples, withText } from '../helpers/command-lines.ts'
import { describeWith } from '../helpers/installed.ts'
import { environment } from '../helpers/program.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { json, startService, testKey } from '../helpers/service.ts'

const special = '$HOME `ls` "double" \'single\' \\ !\nJSON\n%s'

describeWith('curl', () => {
  test.each(requestSamples)('%s', async (command, sample, { method, path }) => {
    const argv = withText(sample.argv, special)
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
