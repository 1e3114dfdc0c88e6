/**
 * An address as a browser takes it: nothing but visible ASCII, whatever stood there.
 * @returns nothing for what is not http or https: other schemes start programs, or run what they hold.
 */
export function webAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, href } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}
