/** When Enter ends a message, and what the message then is. */

const fence = '"""'

/**
 * What goes on instead of being sent, once Enter was pressed: `"""` until the closing one, a backslash at the end.
 * @returns the text to go on with and the cursor's place; nothing when the message is whole.
 */
export function continued(text: string, cursor: number): { text: string; cursor: number } | undefined {
  if (isOpenBlock(text)) return { text: `${text.slice(0, cursor)}\n${text.slice(cursor)}`, cursor: cursor + 1 }
  // Two backslashes stand for themselves, as a path's end may have them.
  const [slashes = ''] = /\\*$/.exec(text) ?? []
  if (slashes.length % 2 === 0 || isBlock(text)) return undefined
  return { text: `${text.slice(0, -1)}\n`, cursor: text.length }
}

/** The message without the fences that held it together. */
export function messageOf(text: string): string {
  if (!isBlock(text) || fenceCount(text) !== 2 || !text.trimEnd().endsWith(fence)) return text
  return text
    .trim()
    .slice(fence.length, -fence.length)
    .replace(/^\n|\n$/g, '')
}

function isBlock(text: string): boolean {
  return text.trimStart().startsWith(fence)
}

/** Whole docstrings of pasted code, of which every one is closed, hold nothing open. */
function isOpenBlock(text: string): boolean {
  return isBlock(text) && fenceCount(text) % 2 === 1
}

function fenceCount(text: string): number {
  return text.split(fence).length - 1
}
