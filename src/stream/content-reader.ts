/** Finds what is no text in the text of an answer: reasoning, and if tools are offered, calls and markers at its end. */

import { Answer, type AnswerChoice } from './answer.ts'
import type { Delta } from './delta.ts'
import { maxHeldBack } from './reply-budget.ts'
import { closings, markers, readSpelled } from './spellings.ts'

export class ContentReader {
  readonly #hasTools: boolean
  readonly #choices = new Map<number, ChoiceReader>()

  /** @param hasTools Whether the request offers tools. */
  constructor(hasTools: boolean) {
    this.#hasTools = hasTools
  }

  /** @returns the deltas of the answer. What may be no text is held back. */
  read(deltas: readonly Delta[]): readonly Delta[] {
    const [first] = deltas
    // Nearly all events of an answer are such.
    if (deltas.length === 1 && first?.type === 'text' && this.#choice(first.index).passes(first.text)) return deltas
    const read: Delta[] = []
    for (const delta of deltas) {
      if (delta.type === 'text') this.#choice(delta.index).read(delta.text, read)
      else if (delta.type === 'tool') this.#choice(delta.index).hasCalls = true
      else if (delta.type === 'end') this.#choice(delta.index).end(read)
      if (delta.type !== 'text') read.push(delta)
    }
    return read
  }

  /** The rest, when nothing more follows. */
  end(): Delta[] {
    const read: Delta[] = []
    for (const choice of this.#choices.values()) choice.end(read)
    return read
  }

  #choice(index: number): ChoiceReader {
    const known = this.#choices.get(index)
    if (known) return known
    const choice = new ChoiceReader(index, this.#hasTools)
    this.#choices.set(index, choice)
    return choice
  }
}

/** The only choice of an answer whose whole text is there. @param hasTools As for a `ContentReader`. */
export function readContent(text: string, hasTools: boolean): AnswerChoice | undefined {
  const answer = new Answer()
  answer.add(
    new ContentReader(hasTools).read([
      { type: 'text', index: 0, text },
      { type: 'end', index: 0, reason: 'stop' },
    ]),
  )
  return answer.choice(0)
}

const [thinkStart, thinkEnd] = ['<think>', '</think>']

/** In characters: more than a marker, the beginning of a line, that of an answer, and what is read again with each delta. */
const [maxMarker, maxLine, maxBeginning, maxReadAgain] = [64, 100, 256, 256]

/** The number of a call: those of the service are smaller. */
const firstCall = 2 ** 20

class ChoiceReader {
  /** Whether the service has read calls itself. */
  hasCalls = false
  readonly #index: number
  readonly #hasTools: boolean
  #part: 'beginning' | 'reasoning' | 'gap' | 'text' = 'beginning'
  /** What may be a tag of reasoning, or calls and markers. */
  #held = ''
  /** The length at which it is read again: twice that of the last time, as all of it is read. */
  #readAt = 0
  /** The beginning of the last line that is shown. */
  #line = ''
  /** The marker of the fenced code block that it is in. */
  #fence: string | undefined

  constructor(index: number, hasTools: boolean) {
    this.#index = index
    this.#hasTools = hasTools
  }

  /** Whether a text is shown as it is: then it counts as read. */
  passes(text: string): boolean {
    const isShown = this.#part === 'text' && this.#held === '' && !(this.#hasTools && text.includes('<'))
    if (isShown && this.#hasTools) this.#see(text)
    return isShown
  }

  read(text: string, to: Delta[]): void {
    let rest = this.#held + text
    this.#held = rest
    if (rest.length < this.#readAt) return
    this.#held = ''
    this.#readAt = 0
    if (this.#part === 'beginning') rest = this.#readBeginning(rest)
    if (this.#part === 'reasoning') rest = this.#readReasoning(rest, to)
    if (this.#part === 'gap') rest = rest.trimStart()
    if (rest === '') return
    this.#part = 'text'
    if (this.#hasTools) this.#readText(rest, to)
    else this.#push('text', rest, to)
  }

  end(to: Delta[]): void {
    this.#readAt = 0
    if (this.#part === 'text') this.read('', to)
    const held = this.#held
    this.#held = ''
    if (this.#part === 'reasoning') return this.#push('reasoning', held, to)
    if (this.#part === 'beginning' && held.includes(thinkStart)) return
    const { calls, isShort } = readSpelled(held)
    if (isShort || this.#part === 'beginning') return this.#push('text', held, to)
    // A service that reads calls may leave them in the text, too.
    if (this.hasCalls) return
    for (const [number, call] of calls.entries()) {
      to.push({ type: 'tool', index: this.#index, call: firstCall + number, id: `call_${number}`, ...call })
    }
  }

  /** @returns what follows the tag; everything if there is none. */
  #readBeginning(text: string): string {
    const start = text.trimStart()
    const rest = start.slice(start.indexOf('>') + 1).trimStart()
    const isThought = start.startsWith(thinkStart)
    const isOpen = isThought
      ? rest === ''
      : [thinkStart, thinkEnd].some((tag) => tag !== start && tag.startsWith(start))
    if (isOpen && text.length <= maxBeginning) {
      this.#held = text
      return ''
    }
    this.#part = isThought ? 'reasoning' : start.startsWith(thinkEnd) ? 'gap' : 'text'
    return this.#part === 'text' ? text : rest
  }

  /** @returns what follows the reasoning. */
  #readReasoning(text: string, to: Delta[]): string {
    const end = text.indexOf(thinkEnd)
    const last = text.lastIndexOf('<')
    const isCut = end === -1 && last !== -1 && thinkEnd.startsWith(text.slice(last))
    const known = isCut ? last : end === -1 ? text.length : end
    this.#push('reasoning', text.slice(0, known), to)
    if (isCut) this.#held = text.slice(last)
    if (end === -1) return ''
    this.#part = 'gap'
    return text.slice(end + thinkEnd.length)
  }

  /** Shows what is text, and holds back what is none if nothing follows. */
  #readText(text: string, to: Delta[]): void {
    let rest = text
    while (rest !== '') {
      const at = this.#markerAt(rest)
      this.#push('text', rest.slice(0, at), to)
      rest = rest.slice(at)
      const { textAt = rest.length > maxHeldBack ? rest.length : undefined } = readSpelled(rest)
      if (textAt === undefined) {
        this.#held = rest
        if (rest.length > maxReadAgain) this.#readAt = 2 * rest.length
        return
      }
      this.#see(rest.slice(0, textAt))
      this.#push('text', rest.slice(0, textAt), to)
      rest = rest.slice(textAt)
    }
  }

  /** The place of what may be a marker; without one, the end of the text. */
  #markerAt(text: string): number {
    let seen = 0
    for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
      this.#see(text.slice(seen, at))
      seen = at
      // In a line, only what leaks behind an answer.
      const possible = this.#fence !== undefined ? [] : /^ {0,3}$/.test(this.#line) ? markers : closings
      const start = text.slice(at, at + maxMarker)
      if (possible.some((marker) => marker.startsWith(start) || start.startsWith(marker))) return at
    }
    this.#see(text.slice(seen))
    return text.length
  }

  /** Follows the lines and fences of text that is shown. */
  #see(text: string): void {
    const end = text.lastIndexOf('\n')
    if (end === -1) {
      if (this.#line.length < maxLine) this.#line += text
      return
    }
    const lines = this.#line + text.slice(0, end)
    if (/`{3}|~{3}/.test(lines)) for (const line of lines.split('\n')) this.#fence = fenceAfter(line, this.#fence)
    this.#line = text.slice(end + 1, end + maxLine)
  }

  #push(type: 'text' | 'reasoning', text: string, to: Delta[]): void {
    if (text !== '') to.push({ type, index: this.#index, text })
  }
}

/** The marker of the fenced code block after a line, which may be in a list or a quote. @param fence Before it. */
function fenceAfter(line: string, fence: string | undefined): string | undefined {
  const [, marker, rest = ''] = /^[ \t>*+-]*(?:\d+[.)][ \t]+)?(`{3,}|~{3,})(.*)$/.exec(line.trimEnd()) ?? []
  if (marker === undefined) return fence
  if (fence === undefined) return marker.startsWith('`') && rest.includes('`') ? undefined : marker
  return marker.startsWith(fence) && rest === '' ? undefined : fence
}
