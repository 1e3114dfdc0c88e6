/** The parts of files that go with a question: how the model reads them, and which places its answer may name. */

import { extname } from 'node:path'

/** A part of a file, or several that stand one after the other. */
export interface Source {
  readonly path: string
  /** Lines, or pages, from 1 on. */
  readonly first: number
  readonly last: number
  readonly isPage?: boolean | undefined
  /** The nearest title of Markdown above it. */
  readonly heading?: string | undefined
  readonly text: string
}

/** What a message is sent with. */
export interface Sources {
  readonly sources?: readonly Source[] | undefined
  /** Whether the answer is asked to name the places of what it says. */
  readonly wantsPlaces?: boolean | undefined
}

/** The text that stands before a message: each part in a fence, so that orders in it read as its text. */
export function sourcesText({ sources = [], wantsPlaces }: Sources): string {
  const place = placeOf(sources[0] ?? { path: '', first: 1 })
  const request = `After each sentence that rests on one of these parts of files, name its place in brackets: [${place}]`
  return [...(wantsPlaces ? [request] : []), ...sources.map(sourceText)].join('\n\n')
}

export function sourceText(source: Source): string {
  const { path, last, isPage, heading, text } = source
  return fenced({ path, name: `${placeOf(source)}${isPage ? '' : `-${last}`}${heading ? ` (${heading})` : ''}`, text })
}

/** `docs/keys.md:12`, `report.pdf#3` */
export function placeOf({ path, first, isPage }: Pick<Source, 'path' | 'first' | 'isPage'>): string {
  return `${path}${isPage ? '#' : ':'}${first}`
}

/** A file's path with its lines, and its text in a fence longer than any fence in it. */
export function fenced({ path, name, text }: { path: string; name: string; text: string }): string {
  let longestRun = 2
  for (const [run] of text.matchAll(/`+/g)) longestRun = Math.max(longestRun, run.length)
  const fence = '`'.repeat(longestRun + 1)
  const language = /^\.(\w+)$/.exec(extname(path))?.[1] ?? ''
  const end = text.endsWith('\n') ? '' : '\n'
  return `${path === '-' ? 'standard input' : name}:\n${fence}${language}\n${text}${end}${fence}`
}

/** Code in Markdown, between fences or backticks, where brackets mean something else. */
const code = /^ {0,3}(`{3,}|~{3,})[^]*?(?:^ {0,3}\1|$(?![^]))|(`+)[^`\n]+\2/gm

/**
 * The places that a text names, as `[docs/keys.md:12]` or `[docs/keys.md:12-14]`, and that no source has. What has neither a dot
 * nor a slash and a letter is none: `x[1:3]`, `[::1:80]`; nor is a URL with its port, and `[owner/name#12]` only if there are pages.
 */
export function unknownPlaces(text: string, sources: readonly Source[]): string[] {
  const places = text.replace(code, '').matchAll(/\[([^\s[\]]{1,300})([:#])(\d+)(?:-(\d+))?\]/g)
  const hasPages = sources.some(({ isPage }) => isPage)
  const unknown = [...places].filter(([, path = '', sign, from, to = from]) => {
    const isIn = (one: Source): boolean =>
      one.path === path &&
      (one.isPage === true) === (sign === '#') &&
      one.first <= Number(from) &&
      Number(to) <= one.last
    const isPlace = /[./]/.test(path) && /\p{L}/u.test(path) && !path.includes('://') && (sign === ':' || hasPages)
    return isPlace && !sources.some(isIn)
  })
  return [...new Set(unknown.map(([place]) => place))]
}
