/** Refuses words that name files. */

import { UsageError } from '../errors.ts'
import { shellWord } from '../io/shell-word.ts'
import { statsOf } from '../io/stats.ts'

/**
 * `wc` takes files as arguments; here the name of the file itself would be the text.
 * @param verb What happens to the text.
 * @throws UsageError for a word that is the name of a file, or of a pipe as in `<(date)`.
 */
export function rejectFileNames(words: readonly string[], verb: 'count' | 'embed'): void {
  const word = words.find((one) => {
    const stats = statsOf(one)
    return stats?.isFile() || stats?.isFIFO()
  })
  if (word === undefined) return
  throw new UsageError(`${word} is a file, not text to ${verb}`, {
    hint: `use -f ${shellWord(word)} to ${verb} its content, or pipe it in`,
  })
}
