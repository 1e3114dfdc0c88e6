/** Tool calls in the pieces that services send, also those of gateways that bend the protocol. */

import { isDeepStrictEqual } from 'node:util'
import { exactJson } from '../../io/json/exact-numbers.ts'
import { isNonEmptyText, isObject, type Json, type JsonObject } from '../../io/json/json.ts'
import { parseJsonIfValid } from '../../io/json/parse.ts'
import { merge } from '../choices.ts'

interface CallInPieces {
  readonly number: number
  readonly index: Json | undefined
  id: string
  name: string
  arguments: string
  /** What else its pieces have, and their functions, if it is kept. */
  rest?: { readonly call: JsonObject; readonly called: JsonObject }
}

/** Indexes from here on cannot be positions in a list. */
const maxIndex = 10_000

/** In characters: arguments are parsed to tell calls apart, and a service may send a million pieces of them. */
const maxParsed = 256 * 1024

/**
 * Assigns each piece to a call of its choice: by `index`, else by id, else to the same call as the piece before. Some services
 * give all calls one index or one id: a name after a whole call is that of another one. Some send a name in pieces, or id, name and
 * arguments again and again.
 */
export class CallReader {
  readonly #calls = new Map<number, CallInPieces>()
  /** By index: the latest call with it. */
  readonly #latest = new Map<number, CallInPieces>()
  readonly #named = new Map<string, CallInPieces>()
  #last: CallInPieces | undefined
  #next = 0

  /** The calls of which the rest is kept, as in an answer that is not streamed. */
  build(): JsonObject[] {
    const kept = [...this.#calls.values()].filter(({ rest }) => rest !== undefined)
    return kept
      .sort((a, b) => a.number - b.number)
      .map(({ id, name, arguments: given, rest }, position) => {
        const { type, ...others } = rest?.call ?? {}
        // Without the index, which only streams need, and with an id for the tool result to refer to.
        const head = { id: id || `call_${position}`, type: type || 'function' }
        return { ...head, ...others, function: { name, arguments: given, ...rest?.called } }
      })
  }

  /**
   * @param pieces The `tool_calls` of a delta or of a message.
   * @param areWhole Whether each is a call. @param keepsRest Whether to keep what else the pieces have, for `build`.
   * @returns the numbers of their calls, and what they add to the pieces before them.
   */
  read(pieces: readonly JsonObject[], { areWhole, keepsRest }: { areWhole: boolean; keepsRest: boolean }) {
    return pieces.map((piece, position) => {
      const found = areWhole ? undefined : this.#find(piece, pieces.length > 1 ? position : undefined)
      const { index } = piece
      const number = isPosition(index) && !this.#calls.has(index) ? index : this.#next
      const call = found ?? { number, index, id: '', name: '', arguments: '' }
      this.#next = Math.max(this.#next, call.number + 1)
      this.#calls.set(call.number, call)
      if (isPosition(index)) this.#latest.set(index, call)
      if (isNonEmptyText(piece.id) && !this.#named.has(piece.id)) this.#named.set(piece.id, call)
      this.#last = call
      if (keepsRest) keepRest(call, piece)
      return { call: call.number, added: addTo(call, piece) }
    })
  }

  /** @param position Among the pieces of a delta that has several. @returns `undefined` for a piece that starts a call. */
  #find({ index, id, function: called }: JsonObject, position: number | undefined): CallInPieces | undefined {
    const name = isObject(called) && isNonEmptyText(called.name) ? called.name : ''
    const known = isNonEmptyText(id) ? this.#named.get(id) : undefined
    const inOrder = position === undefined ? this.#last : this.#calls.get(position)
    const indexed = isPosition(index)
    const call = indexed ? (known?.index === index ? known : this.#latest.get(index)) : (known ?? inOrder)
    if (!call) {
      // A piece without a name and with an odd index goes on with the last call.
      const isRest = name === '' && !isNonEmptyText(id) && this.#last && !isWhole(this.#last.arguments)
      return isRest ? this.#last : undefined
    }
    const isOtherId = isNonEmptyText(id) && call.id !== '' && call.id !== id
    if (isOtherId && !indexed) return undefined
    const given = isObject(called) ? argumentsText(called.arguments) : ''
    return name !== '' && isAnother(call, name, given, isOtherId) ? undefined : call
  }
}

/** Whether a piece with this name and these arguments is of another call than the one before. */
function isAnother(call: CallInPieces, name: string, given: string, isOtherId: boolean): boolean {
  if (call.name === '') return false
  // Some services send a new id with each piece.
  if (!isWhole(call.arguments)) return isOtherId && (isWhole(given) || (call.arguments === '' && call.name !== name))
  if (isOtherId || call.name !== name) return true
  return call.arguments !== '{}' && isWhole(given) && !isRepeated(call.arguments, given)
}

function keepRest(call: CallInPieces, piece: JsonObject): void {
  call.rest ??= { call: {}, called: {} }
  merge(call.rest.call, piece, ['index', 'id', 'function'])
  if (isObject(piece.function)) merge(call.rest.called, piece.function, ['name', 'arguments'])
}

/** Adds a piece to its call. @returns what it adds. */
function addTo(call: CallInPieces, { id, function: called }: JsonObject) {
  const added: { id?: string; name?: string; arguments?: string } = {}
  if (call.id === '' && isNonEmptyText(id)) added.id = call.id = id
  if (!isObject(called)) return added
  const name = isNonEmptyText(called.name) ? newPartOfName(call, called.name) : ''
  if (name !== '') {
    call.name += name
    added.name = name
  }
  const text = argumentsText(called.arguments)
  if (text === '' || isRepeated(call.arguments, text)) return added
  // Some services begin with an object that is empty until the pieces follow.
  call.arguments = call.arguments === '{}' ? text : call.arguments + text
  added.arguments = text
  return added
}

/** What a piece adds to the name: nothing if it has all of it again, and nothing after the arguments have begun. */
function newPartOfName({ name, arguments: given }: CallInPieces, piece: string): string {
  if (piece.startsWith(name)) return piece.slice(name.length)
  return given === '' ? piece : ''
}

/** JSON text: some services send an object, and PHP an empty array for one. */
function argumentsText(given: Json | undefined): string {
  if (given === undefined || given === null) return ''
  if (Array.isArray(given) && given.length === 0) return '{}'
  return typeof given === 'string' ? given : exactJson(given)
}

/** Whether a piece has the whole arguments once more. */
function isRepeated(before: string, piece: string): boolean {
  if (before.length > 2 * piece.length || !isWhole(piece)) return false
  return isDeepStrictEqual(parseJsonIfValid(before), parseJsonIfValid(piece))
}

function isWhole(given: string): boolean {
  return given.length <= maxParsed && given.trimEnd().endsWith('}') && isObject(parseJsonIfValid(given))
}

function isPosition(index: Json | undefined): index is number {
  return Number.isInteger(index) && (index as number) >= 0 && (index as number) < maxIndex
}
