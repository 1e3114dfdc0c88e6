import fc from 'fast-check'

/**
 * JSON documents.
 * @param words Keys and values that mean something to the reader, separated by spaces, so that they get past its first checks.
 */
export function jsonOf(words: string): fc.Arbitrary<unknown> {
  const word = fc.constantFrom(...words.split(' '), '__proto__', 'constructor')
  return fc.letrec((tie) => ({
    json: fc.oneof(
      { depthSize: 'small' },
      word,
      fc.constantFrom('hi', '{', '', 0, 1, -1, 0.5, 1e9, null, true),
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(word, tie('json'), { maxKeys: 4 }),
    ),
  })).json
}
