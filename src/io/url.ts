/** Checks of URLs before they are opened or get the API key. */

/**
 * The normalized URL: visible ASCII only.
 * @returns `undefined` for anything but http and https: other schemes can start programs or run scripts.
 */
export function webUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, href } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}

/** The host name as sockets take it: `[::1]` → `::1`. */
export function socketHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/** The port, also if it is that of the protocol. */
export function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80')
}

/** Whether a host name (as in `URL.hostname`) means this machine: 127.0.0.0/8, also as an IPv6 address, ::1, or localhost. */
export function isLoopback(hostname: string): boolean {
  return isLocalhost(hostname) || /^(127\.\d+\.\d+\.\d+|\[?::(1|ffff:7f[\da-f]{2}:[\da-f]+)\]?)$/i.test(hostname)
}

/** Whether it is `localhost` or a name below it. What they resolve to is not left to the system (`api/connection.ts`). */
export function isLocalhost(hostname: string): boolean {
  return /^(.+\.)?localhost\.?$/i.test(hostname)
}
