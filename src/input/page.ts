/** Reads a web page that the user names for a request. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { Connection } from '../api/connection.ts'
import { NetworkError, UsageError } from '../errors.ts'
import { decodeText } from '../io/files/files.ts'
import type { Io } from '../io/io.ts'
import { packageVersion } from '../io/process/package.ts'
import { maxReceived } from '../io/process/process-group.ts'
import { withinSeconds } from '../io/time/time-limit.ts'
import { isLoopback } from '../io/url.ts'

/**
 * Requests a page without any credentials. A reader for `html`, or what else it is, makes text of it, if the user has set one.
 * @throws UsageError for what is no text or no address, NetworkError, also after 60 s: both start with `where`.
 */
export async function readPage(address: string, where: string, io: Io): Promise<string> {
  const fetched = withinSeconds(60, io.signal, (stop) => fetchPage(address, io, stop))
  const { bytes, extensions } = await fetched.catch((error: Error) => {
    io.signal.throwIfAborted()
    // The hints of the client are about the service.
    throw new (error instanceof UsageError ? UsageError : NetworkError)(`${where}: ${error.message}`)
  })
  const extension = extensions.find((one) => io.readers?.has(`page${one}`))
  if (extension === undefined) return decodeText(bytes, where, undefined, extensions[0])
  const folder = await mkdtemp(join(tmpdir(), 'syn-'))
  try {
    const file = join(folder, `page${extension}`)
    await writeFile(file, bytes, { mode: 0o600 })
    return (await io.readers?.read(file, where, io.signal)) ?? ''
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @returns `extensions` that its type and its address name. @param from Redirects to it. @param hops How many may still do. */
async function fetchPage(address: string, io: Io, stop: AbortSignal, from?: URL, hops = 5) {
  const url = URL.canParse(address, from?.href) ? new URL(address, from) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password !== '')
    throw new UsageError(`expected an http or https URL without a user name${from ? `, not ${address}` : ''}`)
  if (from) await io.readers?.notify(`${from.href} redirects to ${url.href}`)
  // A page must not choose what of this machine is sent.
  if (hops < 0 || (from && isLoopback(url.hostname) && !isLoopback(from.hostname)))
    throw new NetworkError(`refusing the redirect to ${url.href}`)
  const headers = { 'user-agent': `syn/${packageVersion()}`, accept: '*/*', 'accept-encoding': 'gzip, br' }
  // A connection has one origin, with its proxy.
  const connection = new Connection(io.env, { firstByteTimeout: 0, idleTimeout: 0 })
  try {
    const response = await connection.send({ method: 'GET', url, headers, returnsRedirects: true }, stop)
    const { location, 'content-type': type = '' } = response.headers
    if (response.status >= 300 && response.status <= 399 && location !== undefined)
      return await fetchPage(location, io, stop, url, hops - 1)
    if (response.status !== 200) throw new NetworkError(`HTTP ${response.status} of ${url.href}`)
    const chunks: Uint8Array[] = []
    let left = maxReceived
    for await (const chunk of response.body) {
      left -= chunk.length
      if (left < 0) throw new UsageError('more than 16 MiB')
      chunks.push(chunk)
    }
    const [, subtype] = /^\w+\/(?:x(?=html))?(\w+)(?![\w.-])/.exec(type) ?? []
    return { bytes: Buffer.concat(chunks), extensions: [...(subtype ? [`.${subtype}`] : []), extname(url.pathname)] }
  } finally {
    await connection.close()
  }
}
