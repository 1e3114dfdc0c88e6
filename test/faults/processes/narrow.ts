/** A terminal of one column. */

export interface NarrowCase {
  readonly name: string
  readonly argv: readonly string[]
  readonly exit: number
  /** What is on the screen, without line ends and spaces. */
  readonly words: string
  /** A table or a line, as of its neighbors: tried by `npm run test:long` only. */
  readonly isAlike?: true
}

export const narrow: readonly NarrowCase[] = [
  { name: 'chat', argv: ['chat', 'hi'], exit: 0, words: 'Hello' },
  { name: 'embed', argv: ['embed', '-m', 'hf:org/embedder', 'hi'], exit: 0, words: '2', isAlike: true },
  { name: 'models', argv: ['models'], exit: 0, words: 'org/model' },
  { name: 'models show', argv: ['models', 'show', 'hf:org/model'], exit: 0, words: 'hf:org/model' },
  { name: 'quota', argv: ['quota'], exit: 0, words: 'subscription' },
  { name: 'search', argv: ['search', 'hi'], exit: 0, words: 'https://example.com/', isAlike: true },
  { name: 'count-tokens', argv: ['count-tokens', 'hi'], exit: 0, words: '7', isAlike: true },
  { name: 'sessions list', argv: ['sessions', 'list'], exit: 0, words: 'nosavedconversations', isAlike: true },
  { name: 'config list', argv: ['config', 'list'], exit: 0, words: 'base-url', isAlike: true },
  { name: 'help', argv: ['chat', '--help'], exit: 0, words: 'Sendaprompt' },
  { name: 'an error', argv: ['chat', '--temperature', 'x', 'hi'], exit: 2, words: 'syn:--temperature' },
]

/** Those that `npm test` tries. */
export const everydayNarrow: readonly NarrowCase[] = narrow.filter(({ isAlike }) => !isAlike)
