import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ground } from '../../../man/picture/palette.ts'

test('each color of letters is readable on the background', () => {
  const picture = readFileSync(new URL('../../../man/chat.svg', import.meta.url), 'utf8')
  const inks = new Set([...picture.matchAll(/<text [^>]*fill="(#\w+)"/g)].map(([, ink = '']) => ink))
  expect(inks.size).toBeGreaterThan(5)
  // The contrast that WCAG 2 requires for small text.
  expect([...inks].filter((ink) => contrast(ink, ground) < 4.5)).toEqual([])
})

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
