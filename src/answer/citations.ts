import { answersIn, hasOnlyResults, type Node, turnsIn } from '../conversation/conversation.ts'
import { callsIn, chatMessageText } from '../conversation/message.ts'

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
  return (text.match(/\bhttps?:\/\/[^\s<>"'`\\^{}|[\]]+/gi) ?? []).map(withoutEnd)
}

/** Without what closes a link of Markdown, or ends a sentence, and without a last slash. */
function withoutEnd(url: string): string {
  const close = url.indexOf(')')
  let end = close === -1 || url.slice(0, close).includes('(') ? url.length : close
  while ('.,:;!?*_~/#'.includes(url.charAt(end - 1))) end--
  return url.slice(0, end)
}
