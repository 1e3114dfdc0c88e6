import { widthOf, wrapTo } from './width.ts'

/** The least that is left for values beside their labels, in columns. */
const narrowest = 24

/**
 * Labels with their values beside them, wrapped; below them where the terminal is too narrow for both. What is given
 * must be plain and harmless.
 * @param width Of the terminal, in columns.
 * @param styleLabel Styles a label.
 */
export function labelledLines(
  entries: readonly (readonly [label: string, value: string])[],
  width: number,
  styleLabel: (label: string) => string,
): string[] {
  const column = entries.reduce((widest, [label]) => Math.max(widest, widthOf(label)), 0) + 2
  const isRoomy = width - column >= narrowest
  const indent = ' '.repeat(isRoomy ? column : 2)
  return entries.flatMap(([label, value]) => {
    const lines = wrapTo(value, width - indent.length)
    if (!isRoomy) return [styleLabel(label), ...lines.map((line) => indent + line)]
    const space = ' '.repeat(column - widthOf(label))
    return lines.map((line, index) => (index === 0 ? styleLabel(label) + space : indent) + line)
  })
}
