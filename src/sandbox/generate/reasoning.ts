/** What a thinking model thinks aloud before it answers. */

import { lastRequest, type Effort, type Prompt } from '../prompt.ts'
import { beginning, plural, wordsOf } from '../writers/phrases.ts'

const sentenceCount: Record<Effort, number> = { low: 1, medium: 3, high: 6 }

export function writeReasoning(prompt: Prompt, effort: Effort): string {
  const request = lastRequest(prompt.turns)
  const earlier = prompt.turns.length - 1
  const images = prompt.turns.reduce((sum, turn) => sum + turn.images.length, 0)
  const sentences = [
    `The user wrote ${plural(wordsOf(request).length, 'word')}, beginning “${beginning(request, 60)}”.`,
    earlier > 0 ? `${plural(earlier, 'message')} came before it.` : 'Nothing came before it.',
    'I am a stand-in without a model behind me, so a rule has to find the answer.',
    images > 0 ? `There is something to look at: ${plural(images, 'image')}.` : 'There are no images to look at.',
    prompt.tools.length > 0 ? `I could call ${plural(prompt.tools.length, 'tool')}.` : 'There are no tools to call.',
    'That settles it; now to write it down.',
  ]
  return sentences.slice(0, sentenceCount[effort]).join(' ')
}
