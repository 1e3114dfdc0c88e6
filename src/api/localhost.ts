/** What the names of this machine resolve to. */

import type { LookupFunction } from 'node:net'
import { isLocalhost } from '../io/url.ts'

const loopback = [
  { address: '::1', family: 6 },
  { address: '127.0.0.1', family: 4 },
] as const

/**
 * For a connector. `localhost` and the names below it may get the API key unencrypted, so they are loopback whatever DNS or
 * /etc/hosts say, as in curl and in browsers (RFC 6761, section 6.3). Other names are left to the system.
 */
export function lookupOption({ hostname }: URL): { lookup?: LookupFunction } {
  return isLocalhost(hostname) ? { lookup: lookUpLoopback } : {}
}

const lookUpLoopback: LookupFunction = (_hostname, { all }, onResolved) => {
  if (all) onResolved(null, [...loopback])
  else onResolved(null, loopback[1].address, loopback[1].family)
}
