/** The rules of .gitignore files, read as git does. They may be a stranger's: the work for each path is bounded. */

import { FailedError } from '../../errors.ts'
import { readStart } from './regular-file.ts'

/** In bytes. */
const maxSize = 256 * 1024

/** In steps of about 10 ns. 5,000 ordinary rules take 50,000. */
const maxSteps = 1_000_000

/** Counts steps. @throws FailedError if they are too many. */
type Spend = (steps: number) => void

interface Rule {
  readonly isNegated: boolean
  /** @param below The path below the folder of the rule. @param name The end of the path. */
  matches(below: string, name: string, isFolder: boolean, spend: Spend): boolean
}

/** The rules that apply in a folder. Texts are Latin-1: git compares bytes. */
export interface IgnoreRules {
  /** The path of a folder, such as `a/b/`, or empty. */
  readonly folder: string
  /** The last one first. */
  readonly rules: readonly Rule[]
  readonly outer: IgnoreRules | undefined
}

/** @param folder Where the .gitignore is, relative to the outermost one. @throws FailedError if it is too large or unreadable. */
export function readIgnoreRules(path: string, folder: string, outer?: IgnoreRules): IgnoreRules | undefined {
  const text = readStart(path, maxSize + 1, 'latin1') ?? ''
  if (text.length > maxSize) throw new FailedError(`.gitignore is larger than ${maxSize / 1024} KiB`)
  const lines = `${text}\n`.replace(/^\u00ef\u00bb\u00bf/, '').split(/\r?\n/)
  const rules = lines.flatMap(parseRule).reverse()
  return rules.length === 0 ? outer : { folder: toLatin1(folder), rules, outer }
}

function parseRule(line: string): [] | [Rule] {
  let length = line.length
  while (line[length - 1] === ' ') length--
  // The space after a backslash counts, unless that is after another one.
  const [backslashes = ''] = /\\*$/.exec(line.slice(Math.max(0, length - 99), length)) ?? []
  const rule = line.slice(0, length + (backslashes.length % 2))
  const [, not, pattern = '', slash] = /^(?!#)(!?)([^\0]*?)(\/?)(?:\0.*)?$/s.exec(rule) ?? []
  if (pattern === '') return []
  const isForNames = !pattern.includes('/')
  const [literal = ''] = /^[^*?[\\]*/.exec(pattern) ?? []
  const [start, glob] = [literal.replace(/^\//, ''), pattern.slice(literal.length)]
  // What follows the last wildcard, without the slash that `**/` may match: hardly a path needs more than these comparisons.
  const [end = ''] = /[^*?[\]\\/]*$/.exec(glob.slice(-99)) ?? []
  const matches: Rule['matches'] = (below, name, isFolder, spend) => {
    const text = isForNames ? name : below
    if ((slash === '/' && !isFolder) || !text.startsWith(start) || !text.endsWith(end)) return false
    return glob === '' ? text === start : isMatch(glob, text.slice(start.length), spend)
  }
  return [{ isNegated: not === '!', matches }]
}

/**
 * The last rule that matches counts, those of inner folders first.
 * @param path Relative to the outermost folder; that of a folder ends with a slash.
 * @throws FailedError if that takes too many steps.
 */
export function isIgnored(path: string, innermost: IgnoreRules | undefined): boolean {
  const isFolder = path.endsWith('/')
  const whole = toLatin1(isFolder ? path.slice(0, -1) : path)
  const name = whole.slice(whole.lastIndexOf('/') + 1)
  let steps = 0
  const spend: Spend = (count) => {
    steps += count
    if (steps > maxSteps) throw new FailedError('.gitignore takes too long')
  }
  for (let layer = innermost; layer; layer = layer.outer) {
    const below = whole.slice(layer.folder.length)
    spend(layer.rules.length)
    const last = layer.rules.find((rule) => rule.matches(below, name, isFolder, spend))
    if (last) return !last.isNegated
  }
  return false
}

/**
 * Matches as git does, but not in exponential time: only the last `*` of a name and the last `**` are tried at another place, as
 * what stands before them has matched as early as it can.
 */
function isMatch(glob: string, text: string, spend: Spend): boolean {
  let [at, from] = [0, 0]
  let [star, folders]: ({ at: number; from: number } | undefined)[] = []
  while (at < glob.length || from < text.length) {
    spend(1)
    const one = text[from]
    const start = at
    while (glob[at] === '*') at++
    if (at > start) {
      spend(at - start)
      const isWhole = (start === 0 || glob[start - 1] === '/') && (at === glob.length || glob[at] === '/')
      if (at - start === 1 || !isWhole) star = { at, from }
      else if (at === glob.length) return true
      else [star, folders] = [undefined, { at: ++at, from }]
      continue
    }
    if (one === undefined) return false
    const next = matchOne(glob, at, one, spend)
    if (next !== undefined) {
      if (one === '/') star = undefined
      ;[at, from] = [next, from + 1]
    } else if (star && star.from < text.length && text[star.from] !== '/') {
      star.from++
      ;({ at, from } = star)
    } else {
      folders = folders && { at: folders.at, from: text.indexOf('/', folders.from) + 1 }
      if (!folders?.from) return false
      ;({ at, from } = folders)
      star = undefined
    }
  }
  return true
}

/** @returns where the glob goes on; `undefined` if it does not match the character. */
function matchOne(glob: string, at: number, one: string, spend: Spend): number | undefined {
  if (glob[at] === '\\') return glob[at + 1] === one ? at + 2 : undefined
  if (glob[at] !== '[') return glob[at] === one || (glob[at] === '?' && one !== '/') ? at + 1 : undefined
  const isNegated = glob[at + 1] === '!' || glob[at + 1] === '^'
  let [isIn, first, end] = [false, '', at + (isNegated ? 2 : 1)]
  do {
    spend(1)
    const range = first !== '' && /^-(?:\\([^])|([^\]\\]))/.exec(glob.slice(end, end + 3))
    if (range) {
      isIn ||= first <= one && one <= (range[1] ?? range[2] ?? '')
      ;[first, end] = ['', end + range[0].length]
    } else {
      if (glob[end] === '\\') end++
      first = glob[end++] ?? ''
      isIn ||= first === one
    }
    if (end >= glob.length) return undefined
  } while (glob[end] !== ']')
  return isIn !== isNegated && one !== '/' ? end + 1 : undefined
}

function toLatin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}
