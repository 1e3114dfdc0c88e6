import { numberIn } from './numbers.ts'
import { beginning, plural, sentencesOf, wordsOf } from './phrases.ts'
import type { Task } from './task.ts'

const usualLength = 2
const longestSentence = 240

/** The first sentences, which in a well-written text say the most. */
export function writeSummary({ instruction, material, request }: Task): string {
  const isPoints = /\b(?:points?|bullets?|lists?)\b/i.test(instruction)
  const wanted = numberIn(instruction) ?? (isPoints ? 3 : usualLength)
  const sentences = sentencesOf(material === request ? withoutInstruction(request) : material)
  const chosen = sentences.slice(0, Math.max(1, wanted)).map((sentence) => beginning(sentence, longestSentence))
  const text = isPoints ? chosen.map((sentence) => `- ${sentence}`).join('\n') : chosen.join(' ')
  const extent = `${plural(wordsOf(material).length, 'word')} in ${plural(sentences.length, 'sentence')}`
  return `## Summary\n\n${text}\n\nThe text has **${extent}**; the above is how it starts.`
}

/** Where the text stands in the same paragraph, the instruction is its first sentence. */
function withoutInstruction(request: string): string {
  const [first = '', ...rest] = sentencesOf(request)
  return rest.length > 0 ? rest.join(' ') : first
}
