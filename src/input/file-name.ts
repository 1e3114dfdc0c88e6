/** Words that name files, where the content may have been meant. */

import { UsageError } from '../errors.ts'
import { shellWord } from '../io/text/shell-word.ts'
import { statsOf } from '../io/files/stats.ts'

/**
 * `wc` takes files as arguments; here the name of the file itself would be the text.
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
 * For a prompt, in which a file may be spoken of: says that a word, or a system prompt, names a file that is not sent. A word
 * such as `test` may do so by chance.
 */
export async function noticeFileName(
  words: readonly string[],
  { file = [], image = [], system = [] }: FileOptions,
  notify: (text: string) => Promise<void>,
): Promise<void> {
  const isNamed = (one: string): boolean => /[./]/.test(one) && ![...file, ...image].includes(one) && isFile(one)
  // `@notes.txt`: of other programs, also within a text.
  const inTexts = words.flatMap((word) => [word, ...word.split(/\s+/).filter((part) => part.startsWith('@'))])
  const word = inTexts.map((one) => one.replace(/^@/, '')).find(isNamed)
  const name = word ?? system.find(isNamed)
  if (name === undefined) return
  const flag = /\.(png|jpe?g|gif|webp|tiff?)$/i.test(name) ? '-i' : '-f'
  const use = word === undefined ? `-s ${shellWord(`@${name}`)}` : `${flag} ${shellWord(name)}`
  await notify(`${name} is a file, of which only the name is sent; use ${use} to send its content`)
}

function isFile(word: string): boolean {
  const stats = statsOf(word)
  return stats !== undefined && (stats.isFile() || stats.isFIFO())
}
