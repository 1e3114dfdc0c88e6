/** Which key an escape sequence, a control character or a code of the keyboard protocols means. */

export type KeyboardInput =
  /** `left`, `ctrl-a`, `alt-backspace`, … */
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  /** A whole bracketed paste. */
  | { readonly kind: 'paste'; readonly text: string }

export const escape = '\u001b'

interface Sequence {
  readonly end: number
  /** None for what is not a key. */
  readonly input?: KeyboardInput | undefined
}

/** @returns what the text begins with, `undefined` if it is cut. A control character or a non-ASCII one breaks it off. */
export function sequenceAtStart(text: string): Sequence | undefined {
  return text.startsWith(`${escape}O`) ? singleShift(text) : controlSequence(text)
}

/** `ESC O letter`, `ESC O modifiers letter`. */
function singleShift(text: string): Sequence | undefined {
  const [body = '', modifiers] = /^\u001bO(\d?)/.exec(text) ?? []
  const final = text.charAt(body.length)
  if (final === '') return undefined
  if (!/[ -~]/.test(final)) return { end: body.length }
  return { end: body.length + 1, input: letterKey(final, bitsOf(Number(modifiers)), ctrlBit) }
}

/** `CSI parameters intermediates final`. The Linux console has `CSI [ letter` for F1 to F5. */
function controlSequence(text: string): Sequence | undefined {
  const [rxvt, number] = /^\u001b\[([2-8]|2[34])\$/.exec(text) ?? []
  if (rxvt !== undefined) return { end: rxvt.length, input: numberedKey(Number(number), '$', 0) }
  // Longer ones do not exist: what follows is typed.
  const pattern = /^\u001b\[(\[?[0-?]{0,256})([ -/]{0,8})/
  const [body = '', parameters = '', intermediates] = pattern.exec(text) ?? []
  const final = text.charAt(body.length)
  if (final === '') return undefined
  if (!/[@-~]/.test(final)) return { end: body.length }
  const end = body.length + 1
  return { end, input: /[<-?[]/.test(parameters) || intermediates !== '' ? undefined : keyOf(parameters, final) }
}

const letterKeys: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
}

/** From number 1 on. */
const numberedKeys = ['home', 'insert', 'delete', 'end', 'pageup', 'pagedown', 'home', 'end']

/** Keys by the code of their control character, which they also have in the kitty protocol. */
const controlKeys: Readonly<Record<number, string>> = {
  8: 'backspace',
  9: 'tab',
  13: 'return',
  27: 'escape',
  127: 'backspace',
}
/** Codes of the kitty protocol for the keypad: text, and keys that type none. No further ones are bound anywhere. */
const [keypadTextCode, codedKeypadText] = [57399, '0123456789./*-+\n=,']
const [keypadReturnCode, keypadKeysCode] = [57414, 57417]
const codedKeypadKeys = 'left right up down pageup pagedown home end insert delete'.split(' ')

/** The bits of a modifier parameter, which is one more. 8 is Meta for xterm and Super for the kitty protocol. */
const [shiftBit, altBit, ctrlBit, metaBit, hyperBit] = [1, 2, 4, 8, 16]

function bitsOf(parameter = 1): number {
  return Math.max(0, parameter - 1)
}

function named(name: string, bits: number): KeyboardInput {
  const modifiers = [bits & ctrlBit && 'ctrl', bits & (altBit | metaBit) && 'alt', bits & shiftBit && 'shift']
  return { kind: 'key', name: [...modifiers.filter(Boolean), name === ' ' ? 'space' : name].join('-') }
}

/** @returns `undefined` for a sequence that is no key. */
function keyOf(parameters: string, final: string): KeyboardInput | undefined {
  const fields = parameters.split(';').map((field) => field.split(':').map(Number))
  const [[first = 0] = [], [modifiers] = [], third = []] = fields
  if (final === 'u') return codedKey(fields[0] ?? [], bitsOf(modifiers))
  // modifyOtherKeys of xterm.
  if (final === '~' && first === 27) return codedKey(third, bitsOf(modifiers))
  if (/[~^@]/.test(final)) return numberedKey(first, final, bitsOf(modifiers))
  if (final === 'Z') return named('tab', bitsOf(modifiers) | shiftBit)
  return letterKey(final, bitsOf(modifiers ?? first), shiftBit)
}

/** @param rxvtBits What a lower-case letter means for rxvt. */
function letterKey(final: string, bits: number, rxvtBits: number): KeyboardInput | undefined {
  const isRxvt = /[a-d]/.test(final)
  const name = letterKeys[isRxvt ? final.toUpperCase() : final]
  return name === undefined ? undefined : named(name, isRxvt ? rxvtBits : bits)
}

/** @param final For rxvt: `$` with Shift, `^` with Ctrl, `@` with both. */
function numberedKey(number: number, final: string, bits: number): KeyboardInput | undefined {
  const name = numberedKeys[number - 1]
  const more = (/[$@]/.test(final) ? shiftBit : 0) | (/[\^@]/.test(final) ? ctrlBit : 0)
  return name === undefined ? undefined : named(name, bits | more)
}

/** @param codes The key; with Shift; on a Latin keyboard. Only the first is always there. */
function codedKey(
  [code = 0, shiftedCode = 0, latinCode = 0]: readonly number[],
  bits: number,
): KeyboardInput | undefined {
  // With Super or Hyper a key is a shortcut of the desktop.
  if (bits & (metaBit | hyperBit)) return undefined
  const special = controlKeys[code] ?? (code === keypadReturnCode ? 'return' : codedKeypadKeys[code - keypadKeysCode])
  if (special !== undefined) return named(special, bits)
  const isShifted = (bits & shiftBit) !== 0
  const own = codedKeypadText[code - keypadTextCode] ?? characterOf(code)
  const shifted = characterOf(shiftedCode) || (/^\p{L}/u.test(own) ? own.toUpperCase() : own)
  const typed = isShifted ? shifted : own
  if (typed === '') return undefined
  if ((bits & (altBit | ctrlBit)) === 0) return { kind: 'text', text: typed }
  const latin = own > '\u007f' ? characterOf(latinCode) : ''
  const key = latin || typed
  if ((bits & ctrlBit) === 0) return altKey(key)
  // Terminals that cannot tell Ctrl+Shift+C from Ctrl+C use it to copy, so it must not interrupt where it arrives.
  if (isShifted && /^[a-z]$/i.test(key)) return named(key.toLowerCase(), bits)
  // The control character that other terminals send for it.
  if (/^[@-_a-z]$/.test(key)) return controlKey(String.fromCharCode(key.charCodeAt(0) & 0x1f), (bits & altBit) !== 0)
  return named(key, bits & ~shiftBit)
}

function isCharacter(code: number): boolean {
  return code >= 0x20 && code <= 0x10ffff && !(code >= 0x7f && code < 0xa0) && !(code >= 0xd800 && code < 0xe000)
}

/** @returns '' for control characters, and for the codes of keys without text, which are in the private use area. */
function characterOf(code: number): string {
  const isPrivate = code >= 0xe000 && code < 0xf900
  return isCharacter(code) && !isPrivate ? String.fromCodePoint(code) : ''
}

export function controlKey(character: string, withAlt: boolean): KeyboardInput {
  const code = character.charCodeAt(0)
  const bits = withAlt ? altBit : 0
  const special = withAlt && character === '\n' ? 'return' : controlKeys[code]
  if (special !== undefined) return named(special, bits)
  return named(String.fromCharCode(code + 0x40).toLowerCase(), bits | ctrlBit)
}

export function altKey(character: string): KeyboardInput {
  return named(character.toLowerCase(), altBit)
}
