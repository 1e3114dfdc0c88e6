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

/**
 * For a prompt, in which a file may be spoken of.
 * @param files Those that are sent.
 * @returns a notice if a word names another file; a word such as `test` may do so by chance.
 */
export function fileNameNotice(words: readonly string[], files: readonly string[] = []): string | undefined {
  // `@notes.txt`: of other programs.
  const names = words.map((one) => one.replace(/^@/, ''))
  const name = names.find((one) => /[./]/.test(one) && !files.includes(one) && isFile(one))
  if (name === undefined) return undefined
  const flag = /\.(png|jpe?g|gif|webp|tiff?)$/i.test(name) ? '-i' : '-f'
  return `${name} is a file, of which only the name is sent; use ${flag} ${shellWord(name)} to send its content`
}

function isFile(word: string): boolean {
  const stats = statsOf(word)
  return stats !== undefined && (stats.isFile() || stats.isFIFO())
}
