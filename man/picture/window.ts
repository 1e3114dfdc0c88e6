/** The frame around the cells, visible on a white page and on a black one. */

import { element } from './markup.ts'
import { barHeight } from './measures.ts'
import { barColor, buttonColors, edgeColor, ground, titleColor } from './palette.ts'

const corner = 10
const button = { radius: 5.5, first: 22, distance: 19 }

/** @param title The title in its bar. */
export function windowLines(width: number, height: number, title: string): string[] {
  const frame = { x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: corner }
  const middle = barHeight / 2
  const bar = `M.5 ${barHeight}V${corner + 0.5}a${corner} ${corner} 0 0 1 ${corner}-${corner}H${width - corner - 0.5}a${corner} ${corner} 0 0 1 ${corner} ${corner}V${barHeight}z`
  return [
    element('rect', { ...frame, fill: ground }),
    element('path', { d: bar, fill: barColor }),
    element('rect', { ...frame, fill: 'none', stroke: edgeColor }),
    buttonColors
      .map((fill, place) =>
        element('circle', { cx: button.first + place * button.distance, cy: middle, r: button.radius, fill }),
      )
      .join(''),
    element('text', { x: width / 2, y: middle + 4.5, fill: titleColor, 'text-anchor': 'middle' }, title),
  ]
}
