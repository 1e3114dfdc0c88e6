/** Which addresses are links, and what a link that says another address opens. */

import { normalize } from '../io/text/normalize.ts'
import { webUrl } from '../io/url.ts'

/** An http, https or mailto URL in printable ASCII, safe to open with a click; `undefined` for anything else. */
export function linkAddress(url: string): string | undefined {
  return webUrl(url) ?? (/^mailto:[!-~]+$/i.test(url) ? url : undefined)
}

/**
 * The host that a link opens, or the mail address, if its text looks like the address of another one.
 * @param text As it is read: with what stands next to the link without a space.
 * @param address From `linkAddress`.
 */
export function hostIfMisleading(text: string, address: string): string | undefined {
  const { protocol, host, hostname, pathname } = new URL(address)
  const isMail = protocol === 'mailto:'
  const opened = withoutWww(isMail ? pathname.slice(pathname.indexOf('@') + 1).toLowerCase() : hostname)
  if (hostsIn(text, isMail).every((name) => withoutWww(name) === opened)) return undefined
  return isMail ? pathname : host
}

/** The hosts that a person sees in a text, in lower case. Those with letters outside ASCII equal no host of a URL. */
function hostsIn(text: string, isMail: boolean): string[] {
  const words = normalize(text, 'NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .toLowerCase()
    .split(/\s+/)
  return words.flatMap((word) => {
    const [scheme = ''] = /^[^a-z]*(?:[a-z][a-z\d+.-]*:)?[/\\]{2,}/.exec(word) ?? []
    const [authority = ''] = word.slice(scheme.length).split(/[/\\?#\u2044\u2215]/)
    const seen = isMail ? authority.slice(authority.lastIndexOf('@') + 1) : authority
    const names = seen.split(notInHost).map((part) => part.replaceAll(dot, '.').replaceAll(/^[.-]+|[.-]+$/g, ''))
    const hosts = names.filter((name) => hostLike.test(name))
    return hosts.length === 0 && scheme !== '' ? [seen.replace(/:\d*$/, '')] : hosts
  })
}

/** Dots, and what looks like one. The others that do are dots in NFKC. */
const dot = /[.\u00b7\u2027\u3002]/g
const notInHost = /[^\p{L}\p{N}\p{M}_.\u00b7\u2027\u3002-]+/u
/** A name of two labels or more, also one of a file, such as `README.md`: its ending may be a top-level domain. */
const hostLike = /\.\p{L}[\p{L}\p{M}][^.]*$|^\d+(?:\.\d+){3}$/u

function withoutWww(host: string): string {
  return host.replace(/^www\./, '')
}
