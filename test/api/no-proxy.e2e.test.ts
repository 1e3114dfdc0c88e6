/** NO_PROXY, beside curl. */

import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { proxyFor } from '../../src/api/proxy.ts'

/** Whether curl goes to a proxy, of which there is none. Names are not resolved. */
function curlUsesProxy(target: string, list: string): boolean {
  const env = { http_proxy: 'http://127.0.0.1:1', NO_PROXY: list, no_proxy: list }
  const flags = ['-v', '--connect-to', '::127.0.0.1:1']
  return spawnSync('curl', [...flags, target], { env })
    .stderr.toString()
    .includes('env variable http_proxy')
}

test.runIf(spawnSync('curl', ['--version']).status === 0)('NO_PROXY means what it means to curl', () => {
  const hosts = ['10.1.2.3', '192.168.0.1', '[fd00::1]', '[fd00:0::2]', 'api.example', 'API.example.', 'x.api.example']
  // Without IPv6 subnets, other spellings of IPv6 addresses and /0, which only later versions know (curl #19828 and #20306).
  const subnets = ['10.0.0.0/8', '10.0.0.0/7,', '10.1.2.3/32', '10.1.2.3/', '10.1.2.4/31', '10.1.2.3/33', '192.168/16']
  const addresses = ['10.1.2.3', '.10.1.2.3', '1.2.3', 'fd00::1', '192.168.0.1 , fd00::2']
  const names = ['api.example.', '.example', 'example.', 'pi.example', '.api.example.', '*', 'x']
  const lists = [...subnets, ...addresses, ...names]
  const cases = lists.flatMap((list) => hosts.map((name) => [`http://${name}/`, list] as const))
  const ours = cases.map(
    ([target, list]) => proxyFor(new URL(target), { HTTP_PROXY: 'http://proxy', NO_PROXY: list }) !== undefined,
  )
  const other = cases.filter(([target, list], at) => curlUsesProxy(target, list) !== ours[at])
  expect(other).toEqual([])
})
