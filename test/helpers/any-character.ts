import fc from 'fast-check'

/** The number of surrogates, which are no characters on their own. */
const surrogates = 0x800

/** Any character. fast-check's unit `binary` takes a second and 100 MB for a table of them. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: 0x10_ffff - surrogates })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + surrogates), numberOf)

/** With it, fast-check tries words such as `__proto__` too. @throws for what is no character. */
function numberOf(value: unknown): number {
  const code = typeof value === 'string' ? (value.codePointAt(0) ?? NaN) : NaN
  if (String.fromCodePoint(code) !== value || (code >= 0xd800 && code <= 0xdfff)) throw new Error('no character')
  return code < 0xd800 ? code : code - surrogates
}
