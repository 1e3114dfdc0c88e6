/** The appearance of Markdown, in the sixteen colors of the terminal. */

import type { Background, Io } from '../../io/io.ts'
import { unstyled, type Look, type Paint, type Style, type ThemeName } from '../style.ts'

const dark = {
  title: ['bold', 'underline', 'cyanBright'],
  heading: ['bold', 'cyanBright'],
  subheading: ['bold'],
  minorHeading: ['bold', 'italic'],
  strong: ['bold'],
  emphasis: ['italic'],
  strike: ['strikethrough'],
  code: ['yellow'],
  codeBlock: ['yellow'],
  label: ['dim'],
  link: ['underline'],
  target: ['dim'],
  bullet: ['cyan'],
  bar: ['dim'],
  rule: ['dim'],
  border: ['dim'],
  tableHead: ['bold'],
  keyword: ['magentaBright'],
  literal: ['yellow'],
  type: ['cyan'],
  name: ['blueBright'],
  string: ['green'],
  number: ['yellow'],
  comment: ['gray'],
  addition: ['green'],
  deletion: ['redBright'],
} as const satisfies Readonly<Record<string, readonly Look[]>>

/** A part of a text, or of code. */
type StyledElement = keyof typeof dark

export interface Theme extends Readonly<Record<StyledElement, Paint>> {
  /** Without styling, Markdown's own marks are kept to show the structure, unless a screen reader would name each. */
  readonly keepsMarks: boolean
  /** Whether nothing is drawn of lines, which a screen reader would name one by one. */
  readonly isSpoken: boolean
  /** @param scope A scope of highlight.js, such as `title.function`. */
  syntax(scope: string): Paint | undefined
}

/** Yellow and the bright colors are hard to read on white. */
const light: Readonly<Record<StyledElement, readonly Look[]>> = {
  ...dark,
  title: ['bold', 'underline', 'blue'],
  heading: ['bold', 'blue'],
  code: ['magenta'],
  codeBlock: ['magenta'],
  bullet: ['blue'],
  keyword: ['magenta'],
  literal: ['red'],
  name: ['blue'],
  number: ['red'],
  deletion: ['red'],
}

/** The parts of code for the scopes of highlight.js, by their names up to the first dot. */
const scopes: { readonly [part in StyledElement]?: readonly string[] } = {
  keyword: ['keyword', 'name', 'tag', 'selector-tag', 'doctag'],
  literal: ['literal', 'symbol'],
  type: ['type', 'built_in', 'class', 'variable', 'template-variable'],
  name: ['attr', 'attribute', 'title', 'section', 'function', 'property', 'selector-class', 'selector-id'],
  string: ['string', 'regexp', 'char'],
  number: ['number', 'bullet'],
  comment: ['comment', 'quote', 'meta'],
  addition: ['addition'],
  deletion: ['deletion'],
}
const parts = Object.keys(scopes) as StyledElement[]
const partByScope = new Map(parts.flatMap((part) => (scopes[part] ?? []).map((scope) => [scope, part] as const)))

type ThemeIo = Pick<Io, 'env'> & Partial<Pick<Io, 'out' | 'isAccessible'>>

export function makeTheme(name: ThemeName, style: Style, io: ThemeIo): Theme {
  const looks = (name === 'auto' ? backgroundOf(io) : name) === 'light' ? light : dark
  const isStyled = style.hasColor && name !== 'none'
  const paints = Object.fromEntries(
    Object.entries(looks).map(([part, look]) => [part, isStyled ? style.painter(look) : unstyled]),
  ) as Record<StyledElement, Paint>
  const isSpoken = io.out?.isTerminal === true && io.isAccessible?.() === true
  return {
    ...paints,
    keepsMarks: !isStyled && !isSpoken,
    isSpoken,
    syntax: (scope) => {
      const part = partByScope.get(/^[\w-]+/.exec(scope)?.[0] ?? '')
      return part && paints[part]
    },
  }
}

/**
 * Reads COLORFGBG (`foreground;background`, as color numbers), which some terminals set: 7 and 9 to 15 are light. Else it is what
 * the terminal has answered.
 */
function backgroundOf({ env: { COLORFGBG: colors = '' }, out }: ThemeIo): Background | undefined {
  const background = /;(\d+)$/.exec(colors)?.[1]
  if (background === undefined) return out?.isTerminal ? out.background : undefined
  return /^(7|9|1[0-5])$/.test(background) ? 'light' : 'dark'
}
