/** Shows formulas in Unicode. Only the tables of unicodeit are used: its function makes `\left(` ≤ft(, and `e^{-x^2}` e⁻ˣ^^². */

import { combiningmarks, replacements, subsuperscripts } from 'unicodeit/ts_dist/js/data.js'
import { sanitizeName } from '../../io/text/safe-text.ts'

/** Stand for `\{` and `\}` while other braces are TeX. The text has no control characters of its own. */
const [opening, closing] = ['\u0001', '\u0002']
/** What unicodeit lacks or gets wrong. No `\_` is a subscript. */
const own = String.raw`\_\ \dots… \dotsb⋯ \square□ \Box□ \langle⟨ \rangle⟩ \star⋆ \epsilonϵ \smallsetminus∖ \lbrack[ \rbrack] \lvert| \rvert| \lVert‖ \rVert‖ \lt< \gt> \mathcal{I}ℐ`
const corrections = `${own} \\{${opening} \\}${closing}`.split(' ').map((pair) => [pair.slice(0, -1), pair.slice(-1)])
const signs = new Map([...replacements, ...combiningmarks, ...corrections, ['\\ ', ' ']] as [string, string][])
/** A combining mark, which follows its letter. */
const accent = /^\p{M}/u
const functions =
  /^\\b?(arg|(?:arc)?(?:cos|sin|tan)|cosh|cot|det|dim|exp|gcd|inf|ker|lim|ln|log|max|min|mod|Pr|sinh|sup|tanh)$|^\\operatorname\{(\w+)\}$/
/** Without what only resembles a script, such as the letters of other languages for `^V` and `^.`. */
const real = subsuperscripts.filter(([key = '']) => /^.[a-zA-UW-Z\d+\-=()\u0370-\u03ff]$/.test(key))
const scripts = new Map([...real, ['^′', '′'], ['^∘', '°']] as [string, string][])

/** Patterns, names, comments, and what may mean something else than TeX shows: `[^a]`, `file_1`, `x^10`, `2^3^4`, `\sqrt 2x`. */
const ambiguous =
  /(?<!\\)[&%#$]|\\sqrt(?!\{)|[_^](?:\d\d|[a-z]{3}|[^\w{\\])|(?<!\\[a-z]{0,20})[a-z]{3}[_^]|(?<![\w)\]}'!|]|[^\0-\x7f])[_^]|([_^])(?:\{[^{}]*\}|[^{])\s*\1/i
/** In the order in which they are replaced. */
const spacing =
  /\{(,?)\}|\\(?:!|(?:(?:left|right|[bB]igg?[lrm]?)(?!\s*\.)|displaystyle|limits|(?<=[_^].)(?:text[a-z]*|mathrm)(?=\{))(?![a-zA-Z]))/g
const command = /(\s?)(\\(?:math(?!rm)[a-z]+\{\w\}|operatorname\{\w+\}|[a-z]{2,}|[^a-z]))( (?=[a-z\d]))?/gi
const words = /\\(?:text(?:rm|bf|it)?|mathrm|operatorname)\{([^\\{}]*)\}/g
const script = /([_^])(?:\{([^{}\\]*)\}|([^\s{}\\]))/gu
const group = /(√|\\[a-z]+)\{([^{}]*)\}(?:\{([^{}]*)\})?/gi
/** One sign with its scripts, which needs no parentheses. Then: what a fraction may stand beside without them, or not at all. */
const single = /^√?(?:[\d.]+|[\p{Ll}\p{Lu}\p{Lo}]\p{M}*|[A-Z][a-z]{2,}|d[a-z])[\p{Lm}\p{No}⁺-⁾₊-₎]*$/u
const before = RegExp(String.raw`(?:^|[=+\-<>≤≥≠≈≡±∓×⋅,;([{${opening}→⇒⟹∈])\s*$`)
const after = RegExp(String.raw`^\s*(?:$|[=+\-<>≤≥≠≈≡±∓×⋅,;)\]}${closing}→⇒⟹∈.:|])`)
const factor = RegExp(String.raw`[\p{L}\p{N}\p{M}\p{Pe}${closing}'!]\s*$`, 'u')

/** @param source With its delimiters. @returns `undefined` if it has no TeX, or any that is not understood: then a `\` stays. */
export function formulaText(source: string): string | undefined {
  const tex = /^\$(?!\$)/.test(source) ? source.slice(1, -1) : source.slice(2, -2)
  if (!/\\[a-z]{2}|[_^]/i.test(tex) || ambiguous.test(tex) || /^\\\([^]*\\\|/.test(source)) return undefined
  let text = tex.replaceAll(spacing, '$1').replaceAll(command, signOf).replaceAll(words, '$1')
  // From the inside out.
  for (let last = ''; last !== text;) {
    last = text
    text = text
      .replaceAll(script, (_, mark, several, one) =>
        (several ?? one).replaceAll(/\s*(\S)\s*/gu, (_: string, part: string) => scripts.get(mark + part) ?? '\\'),
      )
      .replaceAll(group, structure)
  }
  // Letters from U+1D400 on, which follow \ud835, may look like others: xterm cuts 𝒪 to 𝒞.
  if (/[\ud835\\{}^_]|^\s*$/.test(text)) return undefined
  const line = text.replaceAll(/[\s~]+/g, ' ').trim()
  return sanitizeName(line.replaceAll(opening, '{').replaceAll(closing, '}')).normalize()
}

/** A sign; or the name of a function, apart from what is beside it by the space `~`, which no script has. */
function signOf(all: string, space: string, name: string, gap = '', at: number, text: string): string {
  const [sign, word] = [signs.get(name), name.replace(functions, '$1$2')]
  if (word === name)
    return sign && !accent.test(sign) ? space + sign + (/^\s[^\p{L}∂∇]/u.test(space + sign) ? gap : '') : all
  const [beside = ''] = /(?:\\[a-z]+|[^])$/i.exec(text.slice(Math.max(0, at - 20), at)) ?? []
  if (/[_^]/.test(beside)) return `{${word}}`
  const start = space || /[\p{L}\d)\]}!']$/u.test(signs.get(beside) ?? beside) ? '~' : ''
  return `${start}${word}${gap || /^(?:[a-z\d]|\\[a-z])/i.test(text.slice(at + all.length)) ? '~' : ''}`
}

/** A letter with its accent; a box, a root or a fraction, in parentheses where what is beside it would bind part of it. */
function structure(all: string, kind: string, top: string, low: string | undefined, at: number, text: string): string {
  const [start, isEnd] = [text.slice(0, at), after.test(text.slice(at + all.length))]
  if ((low === undefined) === kind.endsWith('frac')) return all
  if (kind === '√') return isEnd && /^(?:[\d.]+|\p{L})$/u.test(top) ? `√${top}` : `√(${top})`
  if (kind === '\\boxed') return isEnd && before.test(start) ? top : all
  const mark = signs.get(kind) ?? ''
  if (low === undefined) return accent.test(mark) && /^\p{L}$/u.test(top) ? top + mark : all
  if (/\//.test(top + low) || factor.test(start)) return all
  const fraction = `${/^[√\p{L}\p{N}\p{M}.⁺-⁾₊-₎]+$/u.test(top) ? top : `(${top})`}/${single.test(low) ? low : `(${low})`}`
  return isEnd && before.test(start) ? fraction : `(${fraction})`
}
