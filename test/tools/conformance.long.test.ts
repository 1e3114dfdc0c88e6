/** The scenarios for clients of the conformance suite of MCP: each is a server that checks what `syn tools` sends. */

import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { environment, node, quoted, start, synCommand } from '../helpers/program.ts'
import { toolsFile } from '../helpers/tools.ts'

const suite = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
)

/** The suite needs Node 22 for commands other than those that are run here. */
const hooks = new URL('../fixtures/mcp/fs-with-glob.mjs', import.meta.url).href
const preload = `data:text/javascript,${encodeURIComponent(
  `import { register } from 'node:module'; register(${JSON.stringify(hooks)})`,
)}`

/** What each scenario has syn do. */
const calls: Record<string, readonly string[]> = {
  initialize: ['list', 's'],
  tools_call: ['run', 's/add_numbers', '{"a":5,"b":3}'],
  'sse-retry': ['run', 's/test_reconnection'],
  'elicitation-sep1034-client-defaults': ['run', 's/test_client_elicitation_defaults'],
}

/** What differs on purpose, and why. */
const different: Record<string, string> = {
  'elicitation-sep1034-client-defaults': 'syn does not offer elicitation: a server may not question the user',
  'auth/': 'syn has no login by OAuth: a token is a header of tools.json',
}

/** These hold because nothing is authorized. */
const rejecting = ['auth/resource-mismatch']

async function conformance(...argv: string[]): Promise<string> {
  const { out, err } = await start(node, ['--import', preload, suite, ...argv], environment()).ended
  return out + err
}

/** @returns the output of the suite. The server of a scenario is the last argument that the command gets. */
async function run(call: readonly string[], timeout: number, ...argv: string[]): Promise<string> {
  const file = toolsFile({ mcpServers: { s: { url: '${SERVER}', timeout } } })
  const words = ['tools', ...call, '--tools-file', file].map(quoted).join(' ')
  return conformance('client', '--command', `sh -c ${quoted(`SERVER="$0" exec ${synCommand} ${words}`)}`, ...argv)
}

describe('the conformance suite of MCP', () => {
  test.each(Object.entries(calls))('%s', async (scenario, call) => {
    const isDifferent = scenario in different
    const out = await run(call, isDifferent ? 2 : 60, '--scenario', scenario, '--timeout', '120000')
    const failed = [...out.matchAll(/\[([\w-]+) *\].*FAILURE/g)].map(([, check]) => check)
    if (isDifferent) expect(failed).not.toEqual([])
    // On a busy machine, the client may be late.
    else expect(failed.filter((check) => check !== 'client-sse-retry-timing' || out.includes('too early'))).toEqual([])
    if (!isDifferent) expect(out).toMatch(/Passed: [1-9]/)
  })

  test('the login of servers', async () => {
    const out = await run(['list', 's'], 60, '--suite', 'all', '--timeout', '120000')
    const passed = [...out.matchAll(/^✓ (auth\/\S+): [1-9]\d* passed, 0 failed/gm)].map(([, scenario]) => scenario)
    expect(passed).toEqual(rejecting)
  })

  test('has no other scenarios', async () => {
    const scenarios = [...(await conformance('list', '--client')).matchAll(/^ +- (\S+)/gm)].map(([, name = '']) => name)
    const isKnown = (name: string): boolean =>
      name in calls || Object.keys(different).some((one) => name.startsWith(one))
    expect(scenarios.filter((name) => !isKnown(name))).toEqual([])
    expect(scenarios).toEqual(expect.arrayContaining(Object.keys(calls)))
  })
})
