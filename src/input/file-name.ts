/** Words that name files, where the content may have been meant. */

import { UsageError } from '../errors.ts'
import { shellWord } from '../io/shell-word.ts'
import { statsOf } from '../io/stats.ts'

/**
 * `wc` takes files as arguments; here the name of the file itself would be the text.
 * @param verb What happens to the text.
 * @throws UsageError for a word that is the name of a file, or of a pipe as in `<(date)`.
 */
export function rejectFileNames(words: readonly string[], verb: 'count' | 'embed'): void {
  const word = words.find(isFile)
  if (word === undefined) return
  throw new UsageError(`${word} is a file, not text to ${verb}`, {
    hint: `use -f ${shellWord(word)} to ${verb} its content, or pipe it in`,
  })
}

/** The options of a command that take files, or `@FILE`. */
interface FileOptions {
  readonly file?: readonly string[]
  readonly image?: readonly string[]
  readonly system?: readonly string[]
}

/**
 * For a prompt, in which a file may be spoken of.
 * @returns a notice if a word, or a system prompt, names a file that is not sent; a word such as `test` may do so by chance.
 */
export function fileNameNotice(
  words: readonly string[],
  { file = [], image = [], system = [] }: FileOptions,
): string | undefined {
  const isNamed = (one: string): boolean => /[./]/.test(one) && ![...file, ...image].includes(one) && isFile(one)
  // `@notes.txt`: of other programs, also within a text.
  const inTexts = words.flatMap((word) => [word, ...word.split(/\s+/).filter((part) => part.startsWith('@'))])
  const name = inTexts.map((one) => one.replace(/^@/, '')).find(isNamed)
  const flag = name !== undefined && /\.(png|jpe?g|gif|webp|tiff?)$/i.test(name) ? '-i' : '-f'
  if (name !== undefined) return noticeOf(name, `${flag} ${shellWord(name)}`)
  const prompt = system.find(isNamed)
  return prompt === undefined ? undefined : noticeOf(prompt, `-s ${shellWord(`@${prompt}`)}`)
}

function noticeOf(name: string, flag: string): string {
  return `${name} is a file, of which only the name is sent; use ${flag} to send its content`
}

function isFile(word: string): boolean {
  const stats = statsOf(word)
  return stats !== undefined && (stats.isFile() || stats.isFIFO())
}
