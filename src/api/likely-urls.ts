/** Remembers which of several URLs of an operation answered. */

import { readCache, writeCache } from '../io/files/cache.ts'
import type { Io } from '../io/io.ts'
import { type Operation, urlsOf } from './operations.ts'

type CacheIo = Pick<Io, 'env' | 'platform' | 'now' | 'user'>

/** The URLs of an operation, the one that answered last first. @param baseUrl Without a trailing slash. */
export function likelyUrls(operation: Operation, baseUrl: string, io: CacheIo): string[] {
  const urls = urlsOf(operation, baseUrl)
  if (urls.length === 1) return urls
  const answered = readCache(cacheName(operation), baseUrl, io)?.value
  return [...urls.filter((url) => url === answered), ...urls.filter((url) => url !== answered)]
}

/** @param url One of the operation's URLs, which answered. */
export function rememberUrl(operation: Operation, baseUrl: string, url: string, io: CacheIo): Promise<void> {
  return writeCache(cacheName(operation), baseUrl, url, io)
}

/** `url-v2-quotas` */
function cacheName({ path }: Operation): string {
  return `url${path.replaceAll('/', '-')}`
}
