/** Combinations in which each value of each parameter meets each value of each other one. */

export type Parameters = Readonly<Record<string, readonly unknown[]>>
export type Combination<P extends Parameters> = { readonly [Name in keyof P]: P[Name][number] }

/**
 * Without randomness, so that the list is the same in every run: each combination starts from the first pair that is not
 * covered, and takes the values that cover most others.
 * @param isValid Whether values can meet; called with some of the parameters, too.
 */
export function pairwise<P extends Parameters>(
  parameters: P,
  isValid: (values: Partial<Combination<P>>) => boolean,
): Combination<P>[] {
  type Values = Partial<Combination<P>>
  const names = Object.keys(parameters) as (keyof P & string)[]
  const numbers = new Map(
    names.map((name) => [name, new Map((parameters[name] ?? []).map((value, at) => [value, at]))]),
  )
  const keyOf = (values: Values, one: keyof P & string, other: keyof P & string): string =>
    [one, other].map((name) => `${name} ${numbers.get(name)?.get(values[name])}`).join()
  const pairsOf = (values: Values): string[] => {
    const set = names.filter((name) => name in values)
    return set.flatMap((one, at) => set.slice(at + 1).map((other) => keyOf(values, one, other)))
  }
  const open = new Map<string, Values>()
  for (const [at, one] of names.entries()) {
    for (const other of names.slice(at + 1)) {
      for (const first of parameters[one] ?? []) {
        for (const second of parameters[other] ?? []) {
          const values = { [one]: first, [other]: second } as Values
          if (isValid(values)) open.set(keyOf(values, one, other), values)
        }
      }
    }
  }
  const combinations: Combination<P>[] = []
  for (const [key, start] of open) {
    if (!open.has(key)) continue
    let values = start
    for (const name of names.filter((name) => !(name in start))) {
      let best: { values: Values; gain: number } | undefined
      for (const value of parameters[name] ?? []) {
        const next = { ...values, [name]: value }
        if (!isValid(next)) continue
        const gain = pairsOf(next).filter((pair) => open.has(pair)).length
        if (best === undefined || gain > best.gain) best = { values: next, gain }
      }
      if (best === undefined) throw new Error(`no value of ${name} meets ${JSON.stringify(values)}`)
      values = best.values
    }
    for (const pair of pairsOf(values)) open.delete(pair)
    combinations.push(values as Combination<P>)
  }
  return combinations
}
