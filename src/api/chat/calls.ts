/** Tool calls in the pieces that services send, also those of gateways that bend the protocol. */

import { isDeepStrictEqual } from 'node:util'
import {
  exactJson,
  isNonEmptyText,
  isObject,
  objectsIn,
  parseJsonIfValid,
  type Json,
  type JsonObject,
} from '../../io/json/json.ts'

/** A piece of a call, with what it adds to the pieces before it. */
export interface CallPiece {
  readonly call: number
  /** As sent. */
  readonly piece: JsonObject
  readonly added: { readonly id?: string; readonly name?: string; readonly input?: string; readonly arguments?: string }
}

interface CallInPieces {
  readonly number: number
  readonly index: Json | undefined
  id: string
  name: string
  arguments: string
}

/** Indexes from here on cannot be positions in a list. */
const maxIndex = 10_000

/** In characters: arguments are parsed to tell calls apart, and a service may send a million pieces of them. */
const maxParsed = 256 * 1024

/**
 * Assigns each piece to a call of its choice: by `index`, else by id, else to the same call as the piece before. Some services
 * give all calls the index 0: a whole call with another id, or one that follows a whole call, is another call. Some send a
 * name in pieces, or id, name and arguments again and again.
 */
export class CallReader {
  readonly #calls = new Map<number, CallInPieces>()
  /** By index: the latest call with it. */
  readonly #latest = new Map<number, CallInPieces>()
  readonly #named = new Map<string, CallInPieces>()
  #last = 0
  #next = 0

  /** By number. */
  get calls(): ReadonlyMap<number, Readonly<CallInPieces>> {
    return this.#calls
  }

  /** @param pieces The `tool_calls` of a delta or of a message. */
  read(pieces: Json | undefined): CallPiece[] {
    const objects = objectsIn(pieces)
    return objects.map((piece, position) => {
      const call = this.#callOf(piece, objects.length > 1 ? position : this.#last)
      return { call: call.number, piece, added: addTo(call, piece) }
    })
  }

  #callOf(piece: JsonObject, fallback: number): CallInPieces {
    const { index } = piece
    const id = isNonEmptyText(piece.id) ? piece.id : undefined
    const known = id === undefined ? undefined : this.#named.get(id)
    let call = this.#calls.get(fallback)
    if (isPosition(index)) {
      call = known?.index === index ? known : (this.#latest.get(index) ?? this.#calls.get(index))
      if (call && id !== undefined && isOther(call, id, piece.function)) call = this.#start(this.#next, index)
      call ??= this.#start(index, index)
      this.#latest.set(index, call)
    } else if (known) call = known
    else if (call && id !== undefined && call.id !== '') call = this.#start(this.#next, index)
    call ??= this.#start(fallback, index)
    if (id !== undefined && !known) this.#named.set(id, call)
    this.#last = call.number
    return call
  }

  #start(number: number, index: Json | undefined): CallInPieces {
    const call = { number, index, id: '', name: '', arguments: '' }
    this.#calls.set(number, call)
    this.#next = Math.max(this.#next, number + 1)
    return call
  }
}

/** Whether a piece with an id is of another call than the one with its index. */
function isOther(call: CallInPieces, id: string, called: Json | undefined): boolean {
  if (call.id === '' || call.id === id || !isObject(called) || !isNonEmptyText(called.name)) return false
  // Some services send a new id with each piece.
  if (isWhole(call.arguments) || isWhole(argumentsText(called.arguments))) return true
  return call.arguments === '' && called.name !== call.name
}

/** Adds a piece to its call. @returns what it adds. */
function addTo(call: CallInPieces, { id, function: called }: JsonObject): CallPiece['added'] {
  const added: { id?: string; name?: string; input?: string; arguments?: string } = {}
  if (call.id === '' && isNonEmptyText(id)) added.id = call.id = id
  if (!isObject(called)) return added
  const name = isNonEmptyText(called.name) ? newPartOfName(call, called.name) : ''
  if (name !== '') {
    call.name += name
    added.name = name
  }
  const text = argumentsText(called.arguments)
  if (text === '' || isRepeated(call.arguments, text)) return added
  if (call.arguments === '' && text === '{}') {
    // Some services begin with an object that is empty until the pieces follow.
    added.input = call.arguments = text
    return added
  }
  call.arguments = call.arguments === '{}' ? text : call.arguments + text
  added.arguments = text
  return added
}

/** What a piece adds to the name: nothing if it has all of it again, and nothing after the arguments have begun. */
function newPartOfName({ name, arguments: given }: CallInPieces, piece: string): string {
  if (piece.startsWith(name)) return piece.slice(name.length)
  return given === '' ? piece : ''
}

/** JSON text: some services send an object. */
export function argumentsText(given: Json | undefined): string {
  if (isObject(given)) return exactJson(given)
  return typeof given === 'string' ? given : ''
}

/** Whether a piece has the whole arguments once more. */
function isRepeated(before: string, piece: string): boolean {
  if (before.length > 2 * piece.length || !isWhole(piece)) return false
  return isDeepStrictEqual(parseJsonIfValid(before), parseJsonIfValid(piece))
}

/** Whether arguments are complete. */
function isWhole(given: string): boolean {
  return given.startsWith('{') && given.length <= maxParsed && isObject(parseJsonIfValid(given))
}

function isPosition(index: Json | undefined): index is number {
  return Number.isInteger(index) && (index as number) >= 0 && (index as number) < maxIndex
}
