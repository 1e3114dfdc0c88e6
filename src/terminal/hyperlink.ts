/** Hyperlinks in a terminal (OSC 8), and which terminals support them. */

import type { Io } from '../io/io.ts'
import { normalize } from '../io/text/normalize.ts'
import { asSafeAs } from '../io/text/safe-text.ts'
import { webUrl } from '../io/url.ts'

/** The text as a link; unchanged if the address is not safe to open. */
export function hyperlink<Text extends string>(text: Text, url: string): Text {
  const address = linkAddress(url)
  return address === undefined ? text : asSafeAs(text, `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\`)
}

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

/**
 * Whether a terminal supports hyperlinks; others may print the address into the text. Their versions of many years ago are not
 * told apart.
 * @param hasColor Without color there are no hyperlinks either.
 */
export function hasHyperlinks({ env, platform }: Pick<Io, 'env' | 'platform'>, hasColor: boolean): boolean {
  if (env.FORCE_HYPERLINK) return Number.parseInt(env.FORCE_HYPERLINK, 10) !== 0
  if (!hasColor) return false
  if (env.WT_SESSION !== undefined) return true
  if (platform === 'win32' || env.CI) return false
  const { TERM_PROGRAM = '', VTE_VERSION, TERM = '' } = env
  return known.test(TERM_PROGRAM) || known.test(TERM) || Number(VTE_VERSION) >= firstVte
}

/** Values of `TERM_PROGRAM`, and of `TERM`. */
const known = /^(?:iTerm\.app|WezTerm|vscode|ghostty|zed|Orca|WarpTerminal|alacritty|xterm-kitty)$/

/** The library of GNOME's terminals, as it writes its version 0.50.1. The one before crashes. */
const firstVte = 5001
