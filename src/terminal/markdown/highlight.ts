/** Colors code line by line, as it arrives. An import site of highlight.js, with languages.ts. */

import { decodeHTMLStrict } from 'entities'
import highlighter from 'highlight.js/lib/core'
import type { Paint } from '../style.ts'
import { embedded, languages } from './languages.ts'
import type { Theme } from './theme.ts'

/**
 * Limits of the lines that are highlighted again with the next line, and of a line that is colored at all. Some languages take
 * time that grows with the square of both: 6,000 characters of comments in comments, in Rust, took 3 seconds.
 */
const longestContext = { lines: 50, characters: 2000 }
const longestLine = 500

/**
 * How much may be highlighted again, for each character of the code, as characters times the scopes around them: the time
 * grows with both. Code takes less; strings in strings took a second for 5,000 characters.
 */
const mostAgain = 250

/** In scopes around a line: of code that has more, the rest is not colored. */
const deepest = 50

/** @returns the next line of the code, colored. */
export type Highlighter = (text: string) => string

/** @param name A key of `languages`. */
export async function loadHighlighter(name: string, theme: Theme): Promise<Highlighter> {
  for (const needed of [name, ...(embedded[name] ?? [])]) {
    const { load } = languages[needed] ?? {}
    if (load && !highlighter.getLanguage(needed)) highlighter.registerLanguage(needed, (await load()).default)
  }
  return createHighlighter(name, theme)
}

/** The state in which highlight.js stopped. */
interface Mode {
  readonly scope?: string
  readonly className?: string
  readonly parent?: Mode
}

/**
 * highlight.js cannot continue from where it stopped. So a line is highlighted together with the lines it depends on: those
 * since the last line that ended outside of comments, strings, tags and arguments.
 */
function createHighlighter(name: string, theme: Theme): Highlighter {
  let context: string[] = []
  /** The scopes that the last line ended in, the innermost first. */
  let scopes: readonly string[] = []
  /** How much may be highlighted again; see `mostAgain`. */
  let credit = 0

  const remember = (text: string, mode: Mode | undefined): void => {
    const before = scopes.join(' ')
    scopes = scopeNames(mode)
    const [innermost] = scopes
    if (innermost === undefined) context = []
    // In a comment or a string, only its first line matters.
    else if (scopes.join(' ') !== before || !/^(comment|string)/.test(before)) context.push(text)
    const { lines, characters } = longestContext
    if (context.length > lines) context.splice(1, 1)
    while (context.length > 1 && lengthOf(context) > characters) context.splice(1, 1)
  }

  return (text) => {
    if (text.length > longestLine || scopes.length > deepest) return text
    credit += mostAgain * (text.length + 1)
    const again = scopes.length * lengthOf(context)
    if (again > credit) context = []
    else credit -= again
    const number = context.length
    const code = [...context, text, ''].join('\n')
    const { value, _top: mode } = highlighter.highlight(code, { language: name, ignoreIllegals: true })
    remember(text, mode as Mode | undefined)
    return paintedLine(value, number, theme)
  }
}

/** @returns the innermost first; none at the top level of the language. */
function scopeNames(mode: Mode | undefined): string[] {
  const names: string[] = []
  // A loop: parentheses may be thousands deep.
  for (let at = mode; at?.parent; at = at.parent) {
    names.push(at.scope ?? at.className ?? 'mode')
  }
  return names
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0)
}

/** One line of the HTML from highlight.js, colored. */
function paintedLine(html: string, number: number, theme: Theme): string {
  const scopes: string[] = []
  const parts: { paint: Paint | undefined; text: string }[] = []
  let line = 0
  for (const [, opened, text] of html.matchAll(/<span class="(?:hljs-)?([^"]*)">|<\/span>|([^<\n]+|\n)/g)) {
    if (opened !== undefined) scopes.push(opened)
    else if (text === undefined) scopes.pop()
    else if (text === '\n') line++
    else if (line === number) {
      const paint = scopes.map((scope) => theme.syntax(scope)).findLast((one) => one !== undefined)
      const last = parts.at(-1)
      if (last && last.paint === paint) last.text += decodeHTMLStrict(text)
      else parts.push({ paint, text: decodeHTMLStrict(text) })
    }
  }
  return parts.map(({ paint, text }) => (paint ? paint(text) : text)).join('')
}
