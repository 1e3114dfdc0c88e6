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

/** Whether a host name (as in `URL.hostname`) means this machine: 127.0.0.0/8, ::1, localhost and names below it. */
export function isLoopback(hostname: string): boolean {
  return /^(127\.\d+\.\d+\.\d+|\[?::1\]?|localhost|.+\.localhost)$/i.test(hostname)
}
