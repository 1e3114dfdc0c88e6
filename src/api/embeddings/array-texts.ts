/** Reads the embeddings in the text of a reply, in the service's own digits. */

import { valueEnd, visitElements, visitMembers } from '../../io/json/json-scan.ts'

/**
 * @param reply Valid JSON: an object whose `data` is an array.
 * @returns for each element the text of its `embedding` without spaces, if that is an array.
 */
export function readArrayTexts(reply: string): (string | undefined)[] {
  let texts: (string | undefined)[] = []
  visitMembers(reply, reply.search(/\S/), (name, at) => {
    if (name !== 'data' || reply[at] !== '[') return valueEnd(reply, at)
    // Of a name that comes twice, the last value counts.
    texts = []
    return visitElements(reply, at, (item) => {
      const [text, end] = readArrayText(reply, item)
      texts.push(text)
      return end
    })
  })
  return texts
}

function readArrayText(reply: string, item: number): [text: string | undefined, end: number] {
  if (reply[item] !== '{') return [undefined, valueEnd(reply, item)]
  let text: string | undefined
  const itemEnd = visitMembers(reply, item, (name, at) => {
    const end = valueEnd(reply, at)
    if (name === 'embedding') text = reply[at] === '[' ? withoutSpaces(reply.slice(at, end)) : undefined
    return end
  })
  return [text, itemEnd]
}

/** Native searches first: most services write no spaces. */
function withoutSpaces(array: string): string {
  return [' ', '\n', '\r', '\t'].some((space) => array.includes(space)) ? array.replace(/\s+/g, '') : array
}
