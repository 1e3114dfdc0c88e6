import { answersIn, type Node, turnsIn, writtenTurnsIn } from '../conversation/conversation.ts'
import { callsIn, chatMessageText } from '../conversation/message.ts'

/**
 * The URLs of the last answer that no result of a tool had, if the web was searched since the last message: the model may have
 * made them up.
 */
export async function unknownUrls(path: readonly Node[]): Promise<string[]> {
  const { searchName } = await import('../tools/tools-file.ts')
  const written = writtenTurnsIn(path).at(-1)
  const exchange = written ? path.slice(path.indexOf(written)) : path
  const calls = answersIn(exchange).flatMap(({ message }) => callsIn(message))
  if (!calls.some(({ name }) => name === searchName)) return []
  const sent = turnsIn(path).flatMap(({ messages }) => messages)
  const known = new Set(sent.flatMap((message) => urlsIn(chatMessageText(message))))
  const answer = answersIn(exchange).at(-1)
  return [...new Set(answer ? urlsIn(chatMessageText(answer.message)) : [])].filter((url) => !known.has(url))
}

/** Without what ends a sentence, or closes a link of Markdown. */
function urlsIn(text: string): string[] {
  const found = text.match(/\bhttps?:\/\/[^\s<>"'`\\^{}|[\]]+/gi) ?? []
  return found.map((url) => withoutOpenEnd(url).replace(/[/#?]+$/, ''))
}

function withoutOpenEnd(url: string): string {
  const shorter = url.replace(/[.,:;!?*_~]+$/, '').replace(/^([^()]*)\).*$/, '$1')
  return shorter === url ? url : withoutOpenEnd(shorter)
}
