/** The request tables of the specification, from a fixture. */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A field's name with the JSON types it may have, in alphabetical order. */
export type SpecifiedField = readonly [field: string, types: readonly string[]]

const fixture = readFileSync(fileURLToPath(new URL('../fixtures/spec-request-fields.md', import.meta.url)), 'utf8')

/** The sections with a request table, each with its operation, such as `POST /openai/v1/embeddings`. */
export function specifiedOperations(): [section: string, operation: string][] {
  return [...fixture.matchAll(/^### (\S+) .*\(`(.+)`\)$/gm)].map(([, section = '', operation = '']) => [
    section,
    operation,
  ])
}

/** @param section Such as `2.1`. */
export function specifiedFields(section: string): SpecifiedField[] {
  const table = fixture.split(/^### /m).find((text) => text.startsWith(`${section} `)) ?? ''
  return [...table.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)].map(([, field = '', type = '']) => [
    field,
    type
      .split(' or ')
      .map((one) => one.trim().replace(/ of .*/, ''))
      .toSorted(),
  ])
}

/** The JSON types with which each of the section's fields was sent. */
export function sentFields(
  section: string,
  sent: readonly (readonly [field: string, value: unknown])[],
): SpecifiedField[] {
  return specifiedFields(section).map(([field]) => {
    const types = sent.filter(([name]) => name === field).map(([, value]) => jsonType(value))
    return [field, [...new Set(types)].toSorted()]
  })
}

/** A field of a request, the words with which it is given, and the value that is sent. */
export type SentRow = [field: string, words: string[], value: unknown]

/** The rows of a test, and one for each type of a field without any: only documents, and fields with a rule, need their own. */
export function withPlainFields(section: string, rows: readonly SentRow[]): SentRow[] {
  const others = specifiedFields(section).filter(([field]) => !rows.some(([name]) => name === field))
  const plain = others.flatMap(([field, types]) => {
    const flag = `--${field.replaceAll('_', '-')}`
    const byType: Readonly<Record<string, SentRow>> = {
      boolean: [field, [flag], true],
      number: [field, [flag, '1'], 1],
      string: [field, [flag, 'text'], 'text'],
    }
    return types.flatMap((type) => (byType[type] ? [byType[type]] : []))
  })
  return [...rows, ...plain]
}

function jsonType(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value
}
