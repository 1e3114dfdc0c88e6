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
 * @throws UsageError that starts with `where` for what is no text; NetworkError; FailedError after 60 s.
 */
export async function readPage(address: string, where: string, io: Io): Promise<string> {
  const { bytes, extensions } = await withinSeconds(60, io.signal, (stop) =>
    fetchPage(address, io, stop).catch((error: unknown) => {
      // The hints of the client are about the service.
      throw error instanceof NetworkError ? new NetworkError(`${where}: ${error.message}`) : error
    }),
  )
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

/** @returns `extensions` that its type and its address name. @param hops How many redirects are followed. */
async function fetchPage(address: string, io: Io, stop: AbortSignal, hops = 5) {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password !== '')
    throw new UsageError('a page: expected an http or https URL without a user name')
  const headers = { 'user-agent': `syn/${packageVersion()}`, accept: '*/*', 'accept-encoding': 'gzip, br' }
  // A connection has one origin, with its proxy.
  const connection = new Connection(io.env, { firstByteTimeout: 0, idleTimeout: 0 })
  try {
    const response = await connection.send({ method: 'GET', url, headers, returnsRedirects: true }, stop)
    const { location, 'content-type': type = '' } = response.headers
    if (
      response.status >= 300 &&
      response.status <= 399 &&
      location !== undefined &&
      URL.canParse(location, url.href)
    ) {
      const target = new URL(location, url)
      await io.readers?.notify(`${url.href} redirects to ${target.href}`)
      // A page must not choose what of this machine is sent.
      if (hops > 0 && (isLoopback(url.hostname) || !isLoopback(target.hostname)))
        return await fetchPage(target.href, io, stop, hops - 1)
      throw new NetworkError(`refusing the redirect to ${target.href}`)
    }
    if (response.status !== 200) throw new NetworkError(`HTTP ${response.status} of ${url.href}`)
    const chunks: Uint8Array[] = []
    let left = maxReceived
    for await (const chunk of response.body) {
      left -= chunk.length
      if (left < 0) throw new UsageError(`${address}: more than 16 MiB`)
      chunks.push(chunk)
    }
    const [, subtype] = /^\w+\/(?:x(?=html))?(\w+)(?![\w-])/.exec(type) ?? []
    return { bytes: Buffer.concat(chunks), extensions: [...(subtype ? [`.${subtype}`] : []), extname(url.pathname)] }
  } finally {
    await connection.close()
  }
}
