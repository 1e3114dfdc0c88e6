/** The colors of the drawn terminal; each of the sixteen is readable on its background. */

import type { Ink, Look } from './look.ts'

export const ground = '#1b1e26'
export const text = '#d5d9e2'

export const barColor = '#252933'
export const titleColor = '#9aa1b0'
/** The border of the window, visible on a page of any color. */
export const edgeColor = '#4a5060'
export const buttonColors = ['#d9737d', '#d9b36c', '#8fbb78']

/** By their number in a terminal: black, red, green, yellow, blue, magenta, cyan, white. */
const usual = ['#3b4252', '#e67e88', '#9fca87', '#e5c07b', '#74aef0', '#c792ea', '#6fc7d0', '#c9ced9']
const bright = ['#8e97a8', '#f2959e', '#b7dea0', '#f2d596', '#94c3f8', '#d7a8f2', '#8edce4', '#ffffff']

/** The opacity of dim letters. */
const dimness = 0.62

/** The color of its letters. */
export function inkOf({ ink, ground: behind, isDim }: Look): string {
  return isDim ? mixed(colorOf(ink), colorOf(behind), dimness) : colorOf(ink)
}

/** The background color; `undefined` if it is the window's own. */
export function groundOf({ ground: behind }: Look): string | undefined {
  return behind === 'ground' ? undefined : colorOf(behind)
}

function colorOf(ink: Ink): string {
  if (ink === 'text') return text
  if (ink === 'ground') return ground
  if (typeof ink === 'string') return ink
  return (
    [...usual, ...bright][ink] ?? (ink < 232 ? cubeColor(ink - 16) : hex([0, 0, 0].map(() => 8 + 10 * (ink - 232))))
  )
}

/** One of the 6 × 6 × 6 colors that are the same on every terminal. */
function cubeColor(place: number): string {
  const steps = [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6]
  return hex(steps.map((step) => (step === 0 ? 0 : 55 + 40 * step)))
}

function mixed(one: string, other: string, share: number): string {
  const others = partsOf(other)
  return hex(partsOf(one).map((part, index) => Math.round(part * share + (others[index] ?? 0) * (1 - share))))
}

function partsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
}

function hex(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
