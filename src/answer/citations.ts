import { answersIn, hasOnlyResults, type Node, turnsIn } from '../conversation/conversation.ts'
import { callsIn, chatMessageText } from '../conversation/message.ts'
import { withoutPunctuation } from '../terminal/markdown/links.ts'

/**
 * The URLs of the last answer that no result of a tool had, if the web was searched since the last message: the model may have
 * made them up.
 */
export async function unknownUrls(path: readonly Node[]): Promise<string[]> {
  const { searchName } = await import('../tools/tools-file.ts')
  const exchange = path.slice(path.findLastIndex((node) => node.type === 'turn' && !hasOnlyResults(node)))
  const calls = answersIn(exchange).flatMap(({ message }) => callsIn(message))
  if (!calls.some(({ name }) => name === searchName)) return []
  const sent = turnsIn(path).flatMap(({ messages }) => messages)
  const known = new Set(sent.flatMap((message) => urlsIn(chatMessageText(message))))
  const answer = answersIn(exchange).at(-1)
  return [...new Set(answer ? urlsIn(chatMessageText(answer.message)) : [])].filter((url) => !known.has(url))
}

function urlsIn(text: string): string[] {
  // The end of a longer one is searched for in a time that grows with the square of its length.
  const urls = text.match(/\bhttps?:\/\/[^\s<>"'`\\^{}|[\]]{1,4000}/gi) ?? []
  // In a link of Markdown, a parenthesis that nothing opened ends it.
  return urls.map((url) => withoutPunctuation(url.replace(/^([^()]*)\).*/, '$1')).replace(/[/#]$/, ''))
}
