/** Turns the bytes that a terminal sends into keys, text and pastes. Without timers: the caller says when time is up. */

import { StringDecoder } from 'node:string_decoder'
import type { Background } from '../../io/io.ts'
import { altKey, controlKey, escape, type KeyboardInput, sequenceAtStart } from './key-sequences.ts'

const pasteStart = `${escape}[200~`
const pasteEnd = `${escape}[201~`

/** A longer OSC is not one that will end: what follows is typed. Replies with the clipboard are long. */
const maxString = 100_000

/** A sequence whose rest came late: a paste, or one alone or before another one. Looser, text typed after Esc would match. */
const lateSequence =
  /^\u001b(?:\[200~|(?:\[[\d;:]*[A-IOR~u]|\[[<-?][\d;]*\$?[A-Za-z]|[P\]X^_][^\u0000-\u001f]*(?:\u0007|\u001b\\))(?=$|\u001b))/

/** Text with line ends, which a paste without brackets is. Logs have colors, and old sources form feeds. */
const pastedText = /^(?:[^\p{Cc}]|[\t\r\n\v\f]|\u001b\[[\d;]*m)+/u

/**
 * A sequence or UTF-8 character may be cut anywhere: it continues with the next bytes. Sequences that are no key, such as
 * mouse reports and replies to other programs, are dropped whole.
 */
export class KeyParser {
  readonly #decoder = new StringDecoder('utf8')
  /** Since the last call. */
  #inputs: KeyboardInput[] = []
  /** The start of a sequence whose rest has not arrived, or of the end marker in a paste. */
  #rest = ''
  /** What has arrived of an open paste. */
  #pasted: string[] | undefined
  /** What has arrived of an OSC, DCS, APC, PM or SOS. */
  #string: string | undefined
  /** The start of a sequence whose time was up before the last read. */
  #late = ''
  /** Whether Enter came last: a line feed after its carriage return is no key of its own. */
  #hasReturned = false
  /** The line ends after a paste without brackets, until it is known whether more of it follows. */
  #lineEnds: string | undefined
  /** What the terminal last answered to the question for the kitty protocol (`CSI ? u`): odd once Esc has a sequence. */
  kittyFlags: number | undefined
  /** What the terminal last answered to `CSI > c` (DA2): its kind, version and hardware. */
  attributes: string | undefined
  /** The background of the terminal, once it has answered the question for it (OSC 11). */
  background: Background | undefined
  /** Whether the terminal has the focus, as far as it says. */
  hasFocus = true

  /** Whether more may follow: if it does not arrive in time, call `timeUp()`. A paste in brackets has all the time it takes. */
  get isWaiting(): boolean {
    const isOpen = this.#rest !== '' || this.#string !== undefined || this.#lineEnds !== undefined
    return this.#pasted === undefined && isOpen
  }

  /** Whether a key or a paste has arrived in part. */
  get isReceiving(): boolean {
    return this.isWaiting || this.#pasted !== undefined
  }

  /** @param bytes One read of the terminal; text if its stream was set to decode them. */
  feed(bytes: Uint8Array | string): readonly KeyboardInput[] {
    this.#inputs = []
    const text = this.#decoder.write(bytes)
    // Ctrl-C cannot be part of the paste, which is sent at once: the user ends a paste whose end marker is lost.
    if (this.#pasted !== undefined && isCtrlC(text)) return this.timeUp()
    this.#parse(this.#withLate(text))
    this.#late = ''
    return this.#inputs
  }

  /**
   * The rest has not arrived in time. A lone ESC is the key, unless the terminal has a sequence for that; the start of another
   * sequence is dropped, and its rest, too, if the next read has it. A paste ends.
   */
  timeUp(): readonly KeyboardInput[] {
    this.#inputs = []
    this.#endUnmarkedPaste()
    const rest = this.#rest
    const string = this.#string
    this.#rest = ''
    this.#string = undefined
    this.#late = string === undefined ? rest.slice(rest.lastIndexOf(escape)) : escape + string + rest
    if (this.#pasted !== undefined) this.#endPaste(this.#pasted.join(''))
    else if (string === undefined && (this.kittyFlags ?? 0) % 2 === 0) {
      if (rest.startsWith(escape + escape)) this.#key('escape')
      if (rest.endsWith(escape)) this.#key('escape')
    }
    return this.#inputs
  }

  /** After Alt-[, a letter is typed, and does not end a sequence. */
  #withLate(text: string): string {
    const whole = this.#late + text
    const isLetter = this.#late === `${escape}[` && text.length === 1
    return lateSequence.test(whole) && !isLetter ? whole : text
  }

  #parse(arrived: string): void {
    let text = this.#rest + arrived
    this.#rest = ''
    while (text !== '') {
      const end = this.#step(text)
      if (end === undefined) {
        this.#rest = text
        return
      }
      text = text.slice(end)
    }
  }

  /** @returns how much of the text was used; `undefined` to wait for its rest. */
  #step(text: string): number | undefined {
    if (this.#pasted !== undefined) return this.#stepInPaste(text, this.#pasted)
    if (this.#string !== undefined) return this.#stepInString(text, this.#string)
    const pasted = this.#stepInUnmarkedPaste(text)
    if (pasted > 0) return pasted
    const end = text.search(/[\u0000-\u001f\u007f]/)
    if (end === 0 && text.startsWith(escape)) return this.#stepAtEscape(text)
    const used = end === -1 ? text.length : Math.max(1, end)
    const part = text.slice(0, used)
    if (part === '\n' && this.#hasReturned) this.#hasReturned = false
    else this.#push(end === 0 ? controlKey(part, false) : { kind: 'text', text: part })
    return used
  }

  /**
   * A terminal without bracketed paste sends a paste as if it was typed, in several reads if it is long. Nobody types an Enter
   * and more within one read, so its lines are one message, which the last line end sends.
   * @returns how much of the text was used; 0 if it begins with something else.
   */
  #stepInUnmarkedPaste(text: string): number {
    const [arrived = ''] = pastedText.exec(text) ?? []
    const all = (this.#lineEnds ?? '') + arrived
    let end = all.length
    while (end > 0 && '\r\n'.includes(all.charAt(end - 1))) end--
    const pasted = all.slice(0, end)
    if (this.#lineEnds === undefined && !/^[^\r\n]+[\r\n]/.test(pasted)) return 0
    const lineEnds = all.slice(end)
    if (pasted !== '') this.#push({ kind: 'paste', text: pasted })
    this.#lineEnds = lineEnds
    return arrived.length
  }

  #endUnmarkedPaste(): void {
    const lineEnds = this.#lineEnds
    this.#lineEnds = undefined
    if (lineEnds) this.#key('return')
  }

  #stepInPaste(text: string, pasted: string[]): number | undefined {
    const end = text.indexOf(pasteEnd)
    if (end !== -1) {
      this.#endPaste(pasted.join('') + text.slice(0, end))
      return end + pasteEnd.length
    }
    const escaped = text.lastIndexOf(escape)
    const isCut = escaped !== -1 && pasteEnd.startsWith(text.slice(escaped))
    if (isCut && escaped === 0) return undefined
    pasted.push(isCut ? text.slice(0, escaped) : text)
    return isCut ? escaped : text.length
  }

  /** Ends at BEL or ST. Other control characters are keys: the terminal has not sent the end. */
  #stepInString(text: string, before: string): number | undefined {
    const end = text.search(/[\u0000-\u001f\u007f\u009c]/)
    if (end === 0 && text === escape) return undefined
    if (end === -1 || end > 0) {
      const used = end === -1 ? text.length : end
      this.#string = before.length + used > maxString ? undefined : before + text.slice(0, used)
      return used
    }
    this.#string = undefined
    this.background = backgroundIn(before) ?? this.background
    if (text.startsWith(`${escape}\\`)) return 2
    return /^[\u0007\u0018\u001a\u009c]/.test(text) ? 1 : 0
  }

  #stepAtEscape(text: string): number | undefined {
    const [second = ''] = text.slice(1, 3)
    if (second === '') return undefined
    if (second === escape) return this.#stepAtTwoEscapes(text)
    if (/[[O]/.test(second)) return this.#stepAtSequence(text)
    if (/[P\]X^_]/.test(second)) this.#string = second
    else this.#push(/[\u0000-\u001f\u007f]/.test(second) ? controlKey(second, true) : altKey(second))
    return 1 + second.length
  }

  /** Some terminals put an ESC before the sequence of a key that is pressed with Alt. Otherwise it is the key Esc. */
  #stepAtTwoEscapes(text: string): number | undefined {
    const third = text.charAt(2)
    if (third === '') return undefined
    const sequence = /[[O]/.test(third) ? sequenceAtStart(text.slice(1)) : { end: 0 }
    if (sequence === undefined) return undefined
    const name = sequence.input?.kind === 'key' ? sequence.input.name : undefined
    this.#key(name === undefined ? 'escape' : /\balt-/.test(name) ? name : name.replace(/^(ctrl-)?/, '$1alt-'))
    return name === undefined ? 1 : 1 + sequence.end
  }

  #stepAtSequence(text: string): number | undefined {
    const sequence = sequenceAtStart(text)
    if (sequence === undefined) return undefined
    const whole = text.slice(0, sequence.end)
    if (whole === pasteStart) this.#pasted = []
    const [, flags] = /^\u001b\[\?(\d+)u$/.exec(whole) ?? []
    if (flags !== undefined) this.kittyFlags = Number(flags)
    this.attributes = /^\u001b\[>([\d;]+)c$/.exec(whole)?.[1] ?? this.attributes
    if (/^\u001b\[[IO]$/.test(whole)) this.hasFocus = whole.endsWith('I')
    if (sequence.input) this.#push(sequence.input)
    return sequence.end
  }

  #endPaste(text: string): void {
    this.#endUnmarkedPaste()
    this.#pasted = undefined
    this.#rest = ''
    this.#push({ kind: 'paste', text })
  }

  #key(name: string): void {
    this.#push({ kind: 'key', name })
  }

  #push(input: KeyboardInput): void {
    if (input.kind !== 'paste') this.#endUnmarkedPaste()
    this.#hasReturned = input.kind === 'key' && input.name === 'return'
    const last = this.#inputs.at(-1)
    if (input.kind === 'text' && last?.kind === 'text') {
      this.#inputs[this.#inputs.length - 1] = { kind: 'text', text: last.text + input.text }
    } else this.#inputs.push(input)
  }
}

/** From the reply `OSC 11 ; rgb:RRRR/GGGG/BBBB`, with one to four hexadecimal digits of each color. */
function backgroundIn(string: string): Background | undefined {
  const colors = /^\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i.exec(string)?.slice(1)
  if (!colors) return undefined
  const [red = 0, green = 0, blue = 0] = colors.map((digits) => parseInt(digits, 16) / (16 ** digits.length - 1))
  // The weights of the colors in the brightness that the eye sees (Rec. 709).
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 ? 'light' : 'dark'
}

function isCtrlC(text: string): boolean {
  if (!/^(?:\u0003|\u001b\[[\d:;]{1,30}[u~])$/.test(text)) return false
  const [input] = new KeyParser().feed(text)
  return input?.kind === 'key' && input.name === 'ctrl-c'
}
