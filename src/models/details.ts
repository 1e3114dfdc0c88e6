/** All that the service says of one model, key by key, whatever the keys are. */

import { priceText, type Model } from '../api/models.ts'
import { isObject, type Json } from '../io/json.ts'
import { lengthText, millionPrice } from './numbers.ts'

/** A key, or the two of a value one level down, such as `pricing.prompt`; and what stands there. */
export type Detail = readonly [key: string, value: Json]

/** Every key of the model's row, and the aliases that stand for it. */
export function detailsOf({ row }: Model, aliases: readonly string[]): Detail[] {
  const own = Object.entries(row).flatMap(([key, value]): Detail[] => {
    const inner = isObject(value) ? Object.entries(value) : []
    return inner.length === 0 ? [[key, value]] : inner.map(([innerKey, one]) => [`${key}.${innerKey}`, one])
  })
  return aliases.length === 0 ? own : [...own, ['aliases', [...aliases]]]
}

/** Elements of a list are parted by `comma`; what is nested deeper is JSON. */
export function plainText(value: Json, comma = ','): string {
  if (value === null) return ''
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(comma)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Numbers and times of the keys that are known as people say them, and all else in plain text. */
export function spokenText(model: Model, [key, value]: Detail): string {
  switch (key) {
    case 'context_length':
    case 'max_output_length':
      if (typeof value === 'number' && Number.isFinite(value)) return `${value} (${lengthText(value)})`
      break
    case 'pricing.prompt':
    case 'pricing.completion': {
      const price = priceText(model, key === 'pricing.prompt' ? 'prompt' : 'completion')
      if (price !== undefined) return `$${price} ($${millionPrice(price)} for a million tokens)`
      break
    }
    case 'created':
      if (typeof value === 'number') return dateText(value) ?? plainText(value)
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return plainText(value, ', ') || 'none'
}

/** @param seconds Unix time. */
function dateText(seconds: number): string | undefined {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10)
}
