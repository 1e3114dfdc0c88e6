/** Visits the strings in parsed JSON. */

import { indexOf, type Json, type JsonObject } from './json.ts'

type Holder = Record<string | number, Json>

export interface JsonVisitor {
  /**
   * Called for each string, in the document's order within an object or array.
   * @param holder The object or array that holds it under `name`.
   * @param place The arrays around it: the `index` of the element if it has one, as choices, tool calls and the events of
   *   messages have. Strings of one name and place in the chunks of an answer are one text.
   * @param choice The innermost object around it that has log probabilities.
   */
  onString(text: string, holder: Holder, name: string | number, place: string, choice: JsonObject | undefined): void
  /** Called for each object before its values. */
  onObject?(object: JsonObject): void
}

interface Pending {
  readonly value: JsonObject | Json[]
  readonly place: string
  readonly choice: JsonObject | undefined
}

/** With a stack of its own: a reply may be nested deeper than the call stack allows. */
export function walkJson(root: JsonObject | Json[], visitor: JsonVisitor): void {
  const pending: Pending[] = [{ value: root, place: placeOf('', root), choice: undefined }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, place } = next
    if (Array.isArray(value)) {
      visitArray(value, next, visitor, pending)
      continue
    }
    visitor.onObject?.(value)
    const choice = Object.hasOwn(value, 'logprobs') ? value : next.choice
    const known = pending.length
    for (const name of Object.keys(value)) {
      const child = value[name]
      if (typeof child === 'string') visitor.onString(child, value, name, place, choice)
      else if (typeof child === 'object' && child !== null) pending.push({ value: child, place, choice })
    }
    if (pending.length > known + 1) reverseFrom(pending, known)
  }
}

function visitArray(array: Json[], { place, choice }: Pending, visitor: JsonVisitor, pending: Pending[]): void {
  if (typeof array[0] === 'number' && hasOnlyNumbers(array)) return
  const known = pending.length
  const elementPlace = `${place}/`
  for (let at = 0; at < array.length; at++) {
    const child = array[at]
    if (typeof child === 'string') visitor.onString(child, array as unknown as Holder, at, elementPlace, choice)
    else if (typeof child === 'object' && child !== null) {
      pending.push({ value: child, place: placeOf(elementPlace, child), choice })
    }
  }
  if (pending.length > known + 1) reverseFrom(pending, known)
}

/** Embeddings are long arrays of numbers: 100 MB take about 0.05 s of CPU time in a loop without visits. */
function hasOnlyNumbers(array: readonly Json[]): boolean {
  for (const value of array) if (typeof value !== 'number') return false
  return true
}

function placeOf(place: string, value: JsonObject | Json[]): string {
  return Array.isArray(value) ? place : `${place}${indexOf(value) ?? ''}`
}

/** What is pushed last is visited first. */
function reverseFrom(pending: Pending[], start: number): void {
  for (const [at, one] of pending.slice(start).reverse().entries()) pending[start + at] = one
}
