/** Values that are typed in a notation of their own, such as `10%` and `200ms`: the kind of spec, without its help. */

/** @param expected What is accepted, in words. @param parse `undefined` for a text that is not. */
function notation<Value>(placeholder: string, expected: string, parse: (text: string) => Value | undefined) {
  return { kind: 'notation', placeholder, expected, parse } as const
}

/** A limit that is a number, or a share: `50`, `10%`. */
export interface CountOrPercentage {
  /** What was typed. */
  readonly text: string
  readonly value: number
  readonly isPercent: boolean
}

/** @param counts Which counts are accepted. */
export function countOrPercentage(placeholder: string, example: number, counts = /./) {
  const expected = `a count such as ${example}, or a percentage from 0% to 100%`
  return notation<CountOrPercentage>(placeholder, expected, (text) => {
    const [, digits, sign] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? []
    const [value, isPercent] = [Number(digits), sign === '%']
    const isAccepted = isPercent ? value <= 100 : Number.isFinite(value) && counts.test(text)
    return isAccepted ? { text, value, isPercent } : undefined
  })
}

/** The share, from 0 to 1, of a text such as `5%` or `0.05`. Without a point or a sign, nobody knows which of them is meant. */
export const share = notation('SHARE', 'a share such as 5% or 0.05', (text) => {
  const [, digits, sign] = /^(\d*\.\d+|\d+(?=%))(%?)$/.exec(text) ?? []
  // Divided by 100, 7.2 is more than 9 / 125.
  const value = Number(sign === '%' ? `${digits}e-2` : digits)
  return value <= 1 ? value : undefined
})

/** Dollars, more than 0: `0.50`, `$1`. */
export const amount = notation('AMOUNT', 'an amount in dollars, more than 0, such as 0.50 or $1', (text) => {
  const dollars = Number(/^\$?(\d+(?:\.\d*)?|\.\d+)$/.exec(text)?.[1])
  return dollars > 0 ? dollars : undefined
})

/** One of several parts: `2/8`. */
export const part = notation('I/N', 'I/N, with I from 1 to N', (text) => {
  const [, index = NaN, count = NaN] = (/^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? []).map(Number)
  return index >= 1 && index <= count ? { index, count } : undefined
})

/** The most requests in flight: each needs a connection. */
const most = 1000

/** `auto`, `8` or `4-32`: how many may be in flight. */
export const jobs = notation('auto|N|MIN-MAX', `auto, a number from 1 to ${most}, or a range such as 4-32`, (text) => {
  if (text === 'auto') return autoJobs
  const [, first, second = first] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? []
  const [min, max] = [Number(first), Number(second)]
  return min >= 1 && min <= max && max <= most ? { min, max } : undefined
})

export const autoJobs = { min: 1, max: 64 }

/** The character between the columns of a table. */
export const delimiter = notation('CHAR', 'one character, such as ; or |, or tab', (text) => {
  if (text === 'tab' || text === '\\t') return '\t'
  return /^[^"\r\n\0]$/u.test(text) ? text : undefined
})

/** The keys that lead to a value of nested objects: `search.hourly`. */
export const keyPath = notation('PATH', 'keys separated by dots, such as search.hourly', (text) =>
  text.split('.').every((key) => key.trim() !== '') ? text : undefined,
)

/** In milliseconds. */
const units = new Map(Object.entries({ ms: 1, s: 1000, m: 60_000, h: 3_600_000 }))

/** Milliseconds, more than 0: `60s`. */
export const time = notation('TIME', 'a time such as 200ms, 60s or 1h', (text) => {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)(ms|[smh])$/.exec(text) ?? []
  const length = Number(digits) * (units.get(unit) ?? NaN)
  return length > 0 ? length : undefined
})
