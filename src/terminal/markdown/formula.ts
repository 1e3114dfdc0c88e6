/** Shows formulas in Unicode. Only the tables of unicodeit are used: its function makes `\left(` ≤ft(, and `e^{-x^2}` e⁻ˣ^^². */

import { combiningmarks, replacements, subsuperscripts } from 'unicodeit/ts_dist/js/data.js'
import { sanitizeName } from '../../io/text/safe-text.ts'

// The text has no control characters: \0 is unknown, \1 and \2 are braces, \3 precedes an accent, and \4 the name of a function.
const own = String.raw`\dots… \dotsb⋯ \square□ \Box□ \langle⟨ \rangle⟩ \star⋆ \epsilonϵ \smallsetminus∖ \lbrack[ \rbrack] \lvert| \rvert| \lVert‖ \rVert‖ \lt< \gt>`
const corrections = `${own} \\{\u0001 \\}\u0002 \\not\0`.split(' ').map((pair) => [pair.slice(0, -1), pair.slice(-1)])
const accents = combiningmarks.map(([name, mark]) => [name, `\u0003${mark}`])
const symbols = new Map([...replacements, ...accents, ...corrections, ['\\ ', ' ']] as [string, string][])
const functions =
  /^\\b?(arg|(?:arc)?(?:cos|sin|tan)|cosh|cot|det|dim|exp|gcd|inf|ker|lim|ln|log|max|min|mod|Pr|sinh|sup|tanh)$/
/** Without what only resembles a script, such as the letters of other languages for `^V` and `^.`. */
const real = subsuperscripts.filter(([key = '']) => /^.[a-zA-UW-Z\d+\-=()\u0370-\u03ff]$/.test(key))
const scripts = new Map([...real, ['^′', '′'], ['^∘', '°']] as [string, string][])
/** Patterns, names, comments, and what may mean something else than TeX shows: `[^a]`, `file_1`, `x^10`, `2^3^4`, `\sqrt 2x`. */
const ambiguous =
  /(?<!\\)[&%#$]|\\sqrt(?!\{)|[_^](?:\d\d|[a-z]{3}|[^\w{\\])|(?<!\\[a-z]{0,20})[a-z]{3}[_^]|(?<![\w)\]}'!|]|[^\0-\x7f])[_^]|([_^])(?:\{[^{}]*\}|[^{])\s*\1/i
/** One sign with its scripts, which needs no parentheses; and what a fraction may stand beside without them. */
const sign = /^√?(?:[\d.]+|[\p{Ll}\p{Lu}\p{Lo}]\p{M}*|[A-Z][a-z]{2,}|d[a-z])[\p{Lm}\p{No}⁺-⁾₊-₎]*$/u
const before = /(?:^|[=+\-<>≤≥≠≈≡±∓×⋅,;([{\u0001→⇒⟹∈])\s*$/
const after = /^\s*(?:$|[=+\-<>≤≥≠≈≡±∓×⋅,;)\]}\u0002→⇒⟹∈.:|])/

/** @param source With its delimiters. @returns `undefined` if it has no TeX, or any that is not understood. */
export function formulaText(source: string): string | undefined {
  const tex = /^\$(?!\$)/.test(source) ? source.slice(1, -1) : source.slice(2, -2)
  if (!/\\[a-z]{2}|[_^]/i.test(tex) || ambiguous.test(tex) || /^\\\([^]*\\\|/.test(source)) return undefined
  let text = tex
    .replaceAll(/\{(,?)\}|\\(?:!|(?:(?:left|right|[bB]igg?[lrm]?)(?!\s*\.)|displaystyle|limits)(?![a-zA-Z]))/g, '$1')
    .replaceAll(/\\(?:text(?:rm|bf|it)?|mathrm|operatorname)\{([^\\{}]*)\}/g, '$1')
    .replaceAll(/(\s?)(\\(?:math[a-z]+\{\w\}|[a-z]{2,}|[^a-z]))( (?=[a-z\d]))?/gi, (_, space, name, end = '') => {
      const shown = `${space}${symbols.get(String(name)) ?? String(name).replace(functions, '\u0004$1')}`
      return /^\s[^\p{L}∂∇]|\u0004/u.test(shown) ? shown + end : shown
    })
  for (let last = ''; last !== text;) {
    last = text
    text = text
      .replaceAll(/\u0003(\p{M})\{(\p{L})\}/gu, '$2$1')
      .replaceAll(/([_^])(?:\{([^{}\\]*)\}|([^\s{}\\]))/gu, (_, mark, group, one) =>
        (group ?? one).replaceAll(/\s*(\S)\s*/gu, (_: string, part: string) => scripts.get(mark + part) ?? '\0'),
      )
      .replaceAll(/(\\boxed|√|\\[dt]?frac)\{([^{}]*)\}(?:\{([^{}]*)\})?/g, structure)
  }
  // Letters from U+1D400 on, which follow \ud835, may look like others: xterm cuts 𝒪 to 𝒞.
  if (/[\0\u0003\ud835\\{}^_]|^\s*$/.test(text)) return undefined
  text = text.replaceAll(/(?<=[\p{L}\p{N}\p{Pe}])\u0004|[\s~]+/gu, ' ').replaceAll('\u0004', '')
  return sanitizeName(text.trim().normalize().replaceAll('\u0001', '{').replaceAll('\u0002', '}'))
}

/** A box, a root or a fraction, in parentheses where what is beside it would bind part of it. */
function structure(all: string, kind: string, top: string, low: string | undefined, at: number, text: string): string {
  const [start, isEnd] = [text.slice(0, at), after.test(text.slice(at + all.length))]
  if ((low === undefined) === kind.endsWith('frac')) return all
  if (kind === '√') return isEnd && /^(?:[\d.]+|\p{L})$/u.test(top) ? `√${top}` : `√(${top})`
  if (low === undefined) return isEnd && before.test(start) ? top : '\0'
  if (/\//.test(top + low) || /[\p{L}\p{N}\p{M}\p{Pe}\u0002'!]\s*$/u.test(start)) return '\0'
  const fraction = `${/^[√\p{L}\p{N}\p{M}.⁺-⁾₊-₎]+$/u.test(top) ? top : `(${top})`}/${sign.test(low) ? low : `(${low})`}`
  return isEnd && before.test(start) ? fraction : `(${fraction})`
}
