/** The numbers of a model as people say them. */

/**
 * `262144` → `256k`, `128000` → `128k`: round thousands as such, anything else that is made of 1024s in those, as
 * section 8 of the specification does.
 * @param length In tokens.
 */
export function lengthText(length: number): string {
  const k = length % 1000 !== 0 && length % 1024 === 0 ? 1024 : 1000
  if (length < k) return String(length)
  return length < k * k ? `${Math.round(length / k)}k` : `${rounded(length / k / k, 2)}M`
}

/**
 * `0.00000055` → `0.55`
 * @param price Of one token, as a decimal.
 * @returns the price of a million tokens, with the digits of cents at least.
 */
export function millionPrice(price: string): string {
  const million = Number((Number(price) * 1_000_000).toPrecision(6))
  const cents = million.toFixed(2)
  return Number(cents) === million ? cents : String(million)
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
