/** What a URL is, before it is opened or sent a key. */

/**
 * A URL in the form that a browser takes: visible ASCII only, whatever the text held.
 * @returns `undefined` for anything but http and https: other schemes start programs, or run what they hold.
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
