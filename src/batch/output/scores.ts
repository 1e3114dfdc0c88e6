/** `--expect`: compares answers with a column of the input, and counts those that are right. */

import { costText } from '../../answer/usage-text.ts'
import { UsageTotals } from '../../answer/usage-totals.ts'
import type { Model } from '../../api/models.ts'
import { UsageError } from '../../errors.ts'
import { quotedNames, valueAt } from '../../input/records.ts'
import type { Json, JsonObject } from '../../io/json/json.ts'
import { bareText } from '../../io/json/print.ts'
import { grouped } from '../../io/text/plural.ts'
import { decodeUsage } from '../../stream/delta.ts'

/** What each answer should be: the value of a column. `property`: that of the schema which is compared. */
export type Expected = Readonly<ReturnType<typeof expectedOf>>

/**
 * @param given `[PROPERTY=]COLUMN`; without properties in the schema, `COLUMN`.
 * @throws UsageError if it names none of several properties.
 */
export function expectedOf(given: string, properties: readonly string[], isExact: boolean) {
  const at = properties.length === 0 ? -1 : given.indexOf('=')
  const column = given.slice(at + 1)
  const property = at === -1 && properties.length < 2 ? properties[0] : given.slice(0, Math.max(0, at))
  if (property === undefined || properties.includes(property)) return { column, property, isExact }
  throw new UsageError(`--expect: ${quotedNames([given])} names none of the properties ${quotedNames(properties)}`, {
    hint: `use --expect ${properties[0]}=${column}`,
  })
}

/** The value that a record expects; `undefined` if it is blank. */
export function expectedText(value: Json, { column }: Expected): string | undefined {
  const text = bareText(valueAt(value, column) ?? '')
  return text.trim() === '' ? undefined : text
}

const outer = /^(?:\*\*|[\s"'“”„‟‘’‚‛«»‹›])+/
const outerAtEnd = /^(?:\*\*|[\s"'“”„‟‘’‚‛«»‹›.。])+/

/**
 * A label without what models add: case, and around it blanks, quotation marks, `**` and a final full stop, such as "No." for No
 * (openai/evals #159, helm #4187). Reversed, as a regular expression for the end takes quadratic time.
 */
export function bareLabel(text: string): string {
  const reversed = (one: string): string => [...one].toReversed().join('')
  const bare = reversed(reversed(text.replace(outer, '')).replace(outerAtEnd, ''))
  // A label may consist of such characters.
  return (bare || text.trim()).normalize().toLowerCase()
}

/** What is compared. In a property, 3 and 3.0 are equal, but no long numbers of orders that differ in their last digit. */
function comparable(text: string, { isExact, property }: Expected): string {
  if (isExact) return text
  const label = bareLabel(text)
  const isExactNumber = label !== '' && Math.abs(Number(label)) <= Number.MAX_SAFE_INTEGER
  return property !== undefined && isExactNumber ? String(Number(label)) : label
}

/** How many answers of a model are right. */
export type Score = ReturnType<Scores['all']>[number]

export class Scores {
  readonly #expected: Expected
  readonly #models
  #rows = 0

  /** @param models Their names. */
  constructor(expected: Expected, models: readonly string[]) {
    this.#expected = expected
    this.#models = models.map((model) => ({ model, spent: new UsageTotals(), right: 0, differ: models.map(() => 0) }))
  }

  /** Counts what the answer of a model cost. @param head Of its record. */
  spend(at: number, { requested, model: served, usage }: JsonObject): void {
    const { model, spent } = this.#models[at] ?? {}
    const names = [requested ?? model, served].filter((name) => typeof name === 'string')
    spent?.add(names, decodeUsage(usage))
  }

  /**
   * Counts a row. @param answers By model, what is compared; `undefined` without an answer.
   * @returns whether each is right; `null` without an expected value.
   */
  add(record: Json, answers: readonly (Json | undefined)[]): (boolean | null)[] {
    const text = expectedText(record, this.#expected)
    if (text === undefined) return answers.map(() => null)
    this.#rows += 1
    const found = answers.map((one) => (one === undefined ? undefined : comparable(bareText(one), this.#expected)))
    const right = found.map((one) => one === comparable(text, this.#expected))
    for (const [at, model] of this.#models.entries()) {
      if (right[at]) model.right += 1
      model.differ = model.differ.map((count, other) => count + Number(found[at] !== found[other]))
    }
    return right
  }

  /** Shares with Wilson's interval of 95 %, and the cost in dollars; `differ`: from the answers of the best model. */
  all(list: readonly Model[]) {
    const rows = this.#rows
    const best = this.#models.reduce((one, other) => (other.right > one.right ? other : one))
    const at = this.#models.indexOf(best)
    return this.#models.map(({ model, spent, right, differ }) => {
      const [share, square] = [right / rows, 1.959964 ** 2 / rows]
      const [middle, half] = [share + square / 2, Math.sqrt(square * (share * (1 - share) + square / 4))]
      const [low, high] = [(middle - half) / (1 + square), (middle + half) / (1 + square)]
      const others = model === best.model ? {} : { differ: differ[at] ?? 0, from: best.model }
      return { model, right, rows, share, low, high, cost: spent.cost(list) || null, ...others }
    })
  }
}

/** `syn:small:text: 181 of 200 right (90.5 %, 85.6 to 93.8), $0.004; 14 differ from syn:large:text` */
export function scoreText({ model, right, rows, share, low, high, cost, differ, from }: Score): string {
  const [percent, least, most] = [share, low, high].map((one) => (100 * one).toFixed(1))
  const price = cost ? `, ${costText(cost)}` : ''
  const others = from === undefined ? '' : `; ${grouped(differ)} differ from ${from}`
  return `${model}: ${grouped(right)} of ${grouped(rows)} right (${percent} %, ${least} to ${most})${price}${others}`
}
