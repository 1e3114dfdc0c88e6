/** The appearance of Markdown, in the sixteen colors of the terminal. */

import type { Background, Io, Sink } from '../../io/io.ts'
import type { Look, Paint, Style, ThemeName } from '../style.ts'

const parts = [
  'title',
  'heading',
  'subheading',
  'minorHeading',
  'strong',
  'emphasis',
  'strike',
  'code',
  'codeBlock',
  'label',
  'link',
  'target',
  'bullet',
  'bar',
  'rule',
  'border',
  'tableHead',
] as const

type Part = (typeof parts)[number]

/** The scopes of code that have their own color. */
const scopes = ['keyword', 'literal', 'type', 'name', 'string', 'number', 'comment', 'addition', 'deletion'] as const
type Scope = (typeof scopes)[number]

export interface Theme extends Readonly<Record<Part, Paint>> {
  /** Without styling, Markdown's own marks are kept to show the structure. */
  readonly keepsMarks: boolean
  /** @param scope A scope of highlight.js, such as `title.function`. */
  syntax(scope: string): Paint | undefined
}

const dark: Readonly<Record<Part | Scope, readonly Look[]>> = {
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
}

/** Yellow and the bright colors are hard to read on white. */
const light: typeof dark = {
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

/** Our scope for each scope of highlight.js, by its name up to the first dot. */
const scopeByName: Readonly<Record<string, Scope>> = {
  keyword: 'keyword',
  literal: 'literal',
  symbol: 'literal',
  built_in: 'type',
  type: 'type',
  class: 'type',
  attr: 'name',
  attribute: 'name',
  name: 'keyword',
  tag: 'keyword',
  title: 'name',
  section: 'name',
  function: 'name',
  property: 'name',
  string: 'string',
  regexp: 'string',
  char: 'string',
  'selector-class': 'name',
  'selector-id': 'name',
  'selector-tag': 'keyword',
  number: 'number',
  bullet: 'number',
  variable: 'type',
  'template-variable': 'type',
  comment: 'comment',
  doctag: 'keyword',
  quote: 'comment',
  meta: 'comment',
  addition: 'addition',
  deletion: 'deletion',
}

/** Where the theme is for. */
interface ThemeIo {
  readonly env: Io['env']
  readonly out?: Sink | undefined
}

export function makeTheme(name: ThemeName, style: Style, io: ThemeIo): Theme {
  const looks = (name === 'auto' ? backgroundOf(io) : name) === 'light' ? light : dark
  const isStyled = style.hasColor && name !== 'none'
  const paintOf = (part: Part | Scope): Paint => (isStyled ? style.painter(looks[part]) : (text) => text)
  const paints = Object.fromEntries(parts.map((part) => [part, paintOf(part)])) as Record<Part, Paint>
  const syntax = new Map(scopes.map((scope) => [scope, paintOf(scope)]))
  return {
    ...paints,
    keepsMarks: !isStyled,
    syntax: (scope) => {
      const known = scopeByName[/^[\w-]+/.exec(scope)?.[0] ?? '']
      return known && syntax.get(known)
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
