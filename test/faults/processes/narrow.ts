/** A terminal of one column. */

export interface NarrowCase {
  readonly name: string
  readonly argv: readonly string[]
  readonly exit: number
  /** What is on the screen, without line ends and spaces. */
  readonly words: string
}

export const narrow: readonly NarrowCase[] = [
  { name: 'chat', argv: ['chat', 'hi'], exit: 0, words: 'Hello' },
  { name: 'models', argv: ['models'], exit: 0, words: 'org/model' },
  { name: 'quota', argv: ['quota'], exit: 0, words: 'subscription' },
  { name: 'help', argv: ['chat', '--help'], exit: 0, words: 'Sendaprompt' },
  { name: 'an error', argv: ['chat', '--temperature', 'x', 'hi'], exit: 2, words: 'syn:--temperature' },
]
