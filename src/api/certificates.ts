/** The certificates to trust, where the environment names them as for curl. */

import type { SecureContext } from 'node:tls'
import { UsageError } from '../errors.ts'
import { cannotRead } from '../io/files/files.ts'
import { readOwnFile } from '../io/files/private.ts'

/** In bytes: those of a system have 0.3 MiB. */
const maxSize = 16 * 1024 * 1024

/**
 * The certificates of SSL_CERT_FILE replace those built into Node. Those of NODE_EXTRA_CA_CERTS, which Node adds to its own only,
 * are added to them.
 * @returns an option for connecting over TLS. Those of a system take 66 ms to parse.
 * @throws UsageError for a file that cannot be read, or that has no certificate.
 */
export async function trustOption(
  { protocol }: URL,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ secureContext?: SecureContext }> {
  if (protocol !== 'https:' || !env.SSL_CERT_FILE) return {}
  const { createSecureContext } = await import('node:tls')
  const ca = ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'].flatMap((name) => certificatesIn(name, env[name]))
  return { secureContext: createSecureContext({ ca }) }
}

function certificatesIn(name: string, path: string | undefined): string[] {
  if (!path) return []
  let text: string
  try {
    text = readOwnFile(path, maxSize).toString('latin1')
  } catch (error) {
    throw new UsageError(`${name}: ${cannotRead(path, error)}`)
  }
  if (!text.includes('-----BEGIN ')) throw new UsageError(`${name}: ${path} has no certificate in PEM format`)
  return [text]
}
