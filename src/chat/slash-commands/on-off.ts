/** The argument of slash commands that switch something on or off. */

import { invalidValue } from '../../fields/problem.ts'
import { quote } from '../../io/json/json.ts'

const values = ['on', 'off']

export const onOff = { argument: '[on|off]', complete: () => values.map((text) => ({ text })) }

/** @throws UsageError for another word. */
export function isOn(word: string, command: string): boolean {
  if (values.includes(word)) return word === 'on'
  throw invalidValue(command, { path: [], found: quote(word), expected: 'on or off' })
}
