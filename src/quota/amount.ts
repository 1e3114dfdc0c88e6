import type { Unit } from '../api/quota.ts'

/** `1100.25`, `$23.99`: to be read by programs, exact, and the same in every locale. */
export function exactAmount(value: number, unit: Unit): string {
  return unit === 'count' ? String(value) : inDollars(value, { maximumFractionDigits: 20, useGrouping: false })
}

/** `1,100.25`, `$23.99`: to be read by people, rounded to hundredths. */
export function readableAmount(value: number, unit: Unit): string {
  if (unit === 'dollars') return inDollars(value, { maximumFractionDigits: 2 })
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 })
}

function inDollars(value: number, options: Intl.NumberFormatOptions): string {
  return value.toLocaleString('en-US', { style: 'currency', currency: 'USD', minimumFractionDigits: 2, ...options })
}
