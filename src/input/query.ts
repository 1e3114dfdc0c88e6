import { decodeText } from '../io/files.ts'
import type { Io } from '../io/io.ts'
import { shouldReadInput } from './piped.ts'

/**
 * Words joined by spaces, with standard input where `-` stands; all of standard input where there are no words.
 * Never read beside words unasked: in a loop over lines it belongs to the loop.
 * @param hasOther Whether there is something to search for without it.
 * @returns nothing where nobody says anything.
 * @throws UsageError for what is no UTF-8 text.
 */
export async function readQuery(words: readonly string[], hasOther: boolean, io: Io): Promise<string | undefined> {
  const isRead = words.length === 0 ? !hasOther && shouldReadInput({ words, hasOther }, io) : words.includes('-')
  if (words.length === 0 && !isRead) return undefined
  const input = isRead ? decodeText(await io.in.read('the query', io.signal), 'standard input').trim() : ''
  return words.length === 0
    ? input
    : words
        .map((word) => (word === '-' ? input : word))
        .join(' ')
        .trim()
}
