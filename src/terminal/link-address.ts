/** Which addresses are links. */

import { webUrl } from '../io/url.ts'

/** An http, https or mailto URL in printable ASCII, safe to open with a click; `undefined` for anything else. */
export function linkAddress(url: string): string | undefined {
  return webUrl(url) ?? (/^mailto:[!-~]+$/i.test(url) ? url : undefined)
}
