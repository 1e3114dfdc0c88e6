/** One document as the texts it holds. */

import { isObject, parseJson, quote } from '../io/json.ts'
import { invalidValue } from '../fields/problem.ts'
import { noSuchColumn, usualColumn } from './column.ts'
import { withoutLineEnd } from './piped.ts'

export const textFormats = ['text', 'lines', 'jsonl', 'csv'] as const

export interface TextForm {
  readonly format: (typeof textFormats)[number]
  /** Where the text stands: a key of each object, or a column's name or number from 1. */
  readonly column?: string | undefined
}

/**
 * @param where Names the document in errors.
 * @throws UsageError naming document and line when it is not of the form.
 */
export async function splitTexts(document: string, where: string, { format, column }: TextForm): Promise<string[]> {
  switch (format) {
    case 'text':
      return [withoutLineEnd(document)]
    case 'lines':
      return splitLines(document)
    case 'jsonl':
      return splitLines(document).flatMap((line, index) => textOfLine(line, index + 1, where, column))
    case 'csv':
      return (await import('./csv.ts')).textsOfTable(document, where, column)
  }
}

/** Blank lines count; the end of the last line begins no other. */
function splitLines(document: string): string[] {
  return document === '' ? [] : withoutLineEnd(document).split(/\r?\n/)
}

/** @returns nothing for a blank line, which is no JSON value. */
function textOfLine(line: string, number: number, where: string, column = usualColumn): string[] {
  if (line.trim() === '') return []
  const value = parseJson(line, where, number)
  if (typeof value === 'string') return [value]
  const place = `${where}, line ${number}`
  if (!isObject(value)) throw invalidValue(place, { path: [], found: quote(value), expected: 'an object or a string' })
  const text = value[column]
  if (text === undefined) throw noSuchColumn(place, 'key', column, Object.keys(value))
  if (typeof text !== 'string') throw invalidValue(place, { path: [column], found: quote(text), expected: 'a string' })
  return [text]
}
