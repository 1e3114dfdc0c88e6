/** What comes from a keyboard: keys by name, text, and pastes as one. */

import { emitKeypressEvents, type Key } from 'node:readline'
import type { Readable } from 'node:stream'

export type Input =
  /** As in `left`, `ctrl-a`, `alt-backspace`. */
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  /** The whole of a bracketed paste. */
  | { readonly kind: 'paste'; readonly text: string }

/**
 * Tells what is typed until it is stopped.
 * @returns how to stop; the stream then rests.
 */
export function listenToKeys(stream: Readable, receive: (input: Input) => void): () => void {
  let pasted: string[] | undefined
  const onKey = (text: string | undefined, key: Key): void => {
    if (key.name === 'paste-start') pasted ??= []
    else if (pasted === undefined) {
      const input = inputOf(text, key)
      if (input) receive(input)
    } else if (key.name === 'paste-end') {
      const whole = pasted.join('')
      pasted = undefined
      receive({ kind: 'paste', text: whole })
    } else pasted.push(key.sequence ?? '')
  }
  emitKeypressEvents(stream)
  stream.on('keypress', onKey)
  stream.resume()
  return () => {
    stream.off('keypress', onKey)
    stream.pause()
  }
}

function inputOf(text: string | undefined, key: Key): Input | undefined {
  const name = keyName(key)
  if (name !== undefined) return { kind: 'key', name }
  return text === undefined || key.meta ? undefined : { kind: 'text', text }
}

/** Nothing for a key that stands for its text, and for one that Node doesn't know. */
function keyName({ name, sequence = '', ctrl = false, meta = false, shift = false }: Key): string | undefined {
  const odd = oddName(sequence)
  if (odd !== undefined) return odd
  const isPrintable = !/^[\u0000-\u001f\u007f]/.test(sequence)
  if (name === undefined || name === 'undefined' || isPrintable) return undefined
  const modifiers = [ctrl && 'ctrl', meta && name !== 'escape' && 'alt', shift && name.length > 1 && 'shift']
  return [...modifiers.filter(Boolean), name].join('-')
}

/** Keys to which Node gives another name, or none. */
function oddName(sequence: string): string | undefined {
  if (sequence === '\n') return 'ctrl-j'
  // How a terminal that tells Shift+Enter from Enter writes it.
  if (sequence === '\u001b[13;2u') return 'shift-return'
  if (/^[\u001c-\u001f]$/.test(sequence)) return `ctrl-${String.fromCharCode(sequence.charCodeAt(0) + 0x40)}`
  return /^\u001b[!-/:-@\\-`{-~]$/.test(sequence) ? `alt-${sequence.slice(1)}` : undefined
}
