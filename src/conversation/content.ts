import { isContent, type Delta } from '../stream/delta.ts'
import type { ContentDelta } from './entry.ts'

/** What the deltas say, without the rest; neighbours that go on from each other are one. */
export function contentOf(deltas: readonly Delta[]): ContentDelta[] {
  const content: ContentDelta[] = []
  for (const delta of deltas) {
    if (!isContent(delta) && delta.type !== 'thinking') continue
    const last = content.at(-1)
    const isNext = last?.type === delta.type && last.index === delta.index
    if (isNext && 'text' in last && 'text' in delta) {
      content[content.length - 1] = { ...last, text: last.text + delta.text }
    } else content.push(delta)
  }
  return content
}
