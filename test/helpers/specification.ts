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

function jsonType(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value
}
