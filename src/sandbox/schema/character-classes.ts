/** Characters that a class of regular expressions stands for: some, not all. */

const digits = Array.from('1234567890')
const letters = Array.from('abcdefghijklmnopqrstuvwxyz')
const signs = Array.from(' -_.,:;!?@#/+*()')
const everything = [...letters, ...letters.map((letter) => letter.toUpperCase()), ...digits, ...signs, 'é', '€']

const escapes: Readonly<Record<string, readonly string[]>> = {
  d: digits,
  D: letters,
  w: [...letters, ...digits, '_'],
  W: signs.filter((sign) => sign !== '_'),
  s: [' '],
  S: [...letters, ...digits],
  n: ['\n'],
  r: ['\r'],
  t: ['\t'],
  f: ['\f'],
  v: ['\v'],
  0: ['\0'],
}

/** @param escape What follows the backslash: a letter, or `p{…}`. */
export function classOf(escape: string): readonly string[] {
  if (!/^[pP]\{/.test(escape)) return escapes[escape] ?? [escape]
  const property = new RegExp(`^\\${escape}$`, 'u')
  return everything.filter((character) => property.test(character))
}

/** Characters that are none of these. */
export function negated(members: readonly string[]): string[] {
  return everything.filter((character) => !members.includes(character))
}
