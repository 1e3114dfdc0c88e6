/** Positions and sizes in the picture, in pixels. */

export const cell = { width: 8.4, height: 20 }
export const letterSize = 14
/** The bar at the top of the window. */
export const barHeight = 38
/** Between the window's edge and its cells; the last row, the prompt, needs less below it. */
const padding = { side: 22, top: 16, bottom: 14 }

export function sizeOf(columns: number, rows: number): { width: number; height: number } {
  return { width: Math.ceil(leftOf(columns)) + padding.side, height: topOf(rows) + padding.bottom }
}

export function leftOf(column: number): number {
  return padding.side + column * cell.width
}

export function topOf(row: number): number {
  return barHeight + padding.top + row * cell.height
}

/** The baseline of a row. */
export function baselineOf(row: number): number {
  return topOf(row) + 14.5
}

/** A length, rounded: binary fractions would add digits. */
export function short(length: number): string {
  return String(Math.round(length * 100) / 100)
}
