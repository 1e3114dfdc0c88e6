/** The files that a message mentions, as `@src/a.ts` or `@"my file.txt"`. They are attached to this message only. */

import type { Stats } from 'node:fs'
import { extname } from 'node:path'
import { UsageError } from '../errors.ts'
import { isImageFile } from '../input/image.ts'
import { fileLines, type FileLines, lineSuffix } from '../io/files/files.ts'
import { isFile, statsOf } from '../io/files/stats.ts'
import type { Io } from '../io/io.ts'
import type { EditorState } from '../terminal/line-editor/editing.ts'
import { isAttached, readAttachment } from './attachments.ts'
import type { ChatState, Draft, Mentioned } from './state.ts'
import { existingPath, expandHome, unquoted } from './argument-completion.ts'

/** In characters: more is no path. */
export const longestPath = 4096

/** What a mention begins and ends beside: letters of scripts without spaces, as in `请看@a.txt的内容`, and signs that no address has. */
const scripts = 'Hani Hira Kana Bopo Yiii Thai Laoo Khmr Mymr Tibt Java Lana'.split(' ')
const between = String.raw`[${scripts.map((one) => `\\p{scx=${one}}`).join('')}]|(?![\x00-\x7f])[\p{P}\p{S}]`

/** The `@` of a mention, unlike that of `me@example.org`. */
const at = String.raw`(?<=^|--|[\s([{<"']|${between})@`

/** Ends a mention without quotes: `请看@a.txt和@b.txt` mentions two. */
const nextAt = String.raw`(?<=${between})@`

const mentions = new RegExp(
  String.raw`${at}((?:"(?:[^"\\\n]|\\.)+"|'[^'\n]+')(?:${lineSuffix})?|(?:\\.|(?!${nextAt})[^\s\\])+)`,
  'gu',
)

/** What may not belong to the path, but to the sentence: the end of `@notes.txt.`, `@notes.txt's`, `@a.txtを`, and `@a.txt를`. */
const sentenceEnd = new RegExp(String.raw`^(.*)(?:\p{P}|(?:[':,;!?#()[\]{}]|${between}|\p{sc=Hang}).*)$`, 'su')

/** Extensions of files that people attach. `@app.get`, `@mock.patch`, `@jane.doe`, `@example.org` and `@core@17.0.1` have none. */
const extensions = new Set(
  (
    'txt md mdx rst tex log csv tsv json jsonl yaml yml toml ini cfg conf xml html htm css scss less js jsx mjs cjs ts tsx mts ' +
    'cts vue svelte py ipynb rb php pl lua go rs c h cc cpp hpp cs java kt kts swift scala dart ex exs hs r jl zig sh bash zsh ' +
    'ps1 bat sql proto tf diff lock png jpg jpeg gif webp bmp svg heic pdf doc docx xls xlsx pptx'
  ).split(' '),
)

/** At the end of a text: in quotes, of which the second one is missing, or without. */
export const lastMention = new RegExp(String.raw`${at}(?:["']([^"'\n]*)|(?!["'])((?:(?!${nextAt})\S)*))$`, 'u')

const needsQuotes = new RegExp(String.raw`^["']|[\s\\]|${nextAt}`, 'u')

/** What is typed after the `@`. In quotes, the path of a folder goes on. */
export function mentionOf(path: string): string {
  const plain = /^[-~](?!\/)/.test(path) ? `./${path}` : path
  if (!needsQuotes.test(plain)) return plain
  return `"${plain.replace(/["\\]/g, String.raw`\$&`)}${path.endsWith('/') ? '' : '"'}`
}

/** @returns what follows an `@`, without punctuation at its end, which may belong to the sentence. */
export function wordOf(mention: string): string {
  return /^.*\P{P}/su.exec(mention)?.[0] ?? ''
}

function wordsIn(text: string): { word: string; end: number }[] {
  return [...text.matchAll(mentions)].map(({ 1: mention = '', index }) => {
    const word = wordOf(mention)
    return { word, end: index + 1 + word.length }
  })
}

/** A mention pasted with its `@` attaches nothing until typed, or taken from the list. */
export function noteMentions({ text, lastEdit, lastChange }: EditorState, chat: ChatState): void {
  if (lastChange === undefined) return
  const { start, inserted } = lastChange
  if (lastEdit === 'paste') keepAsText(inserted, chat, `${text.slice(0, start)} ${text.slice(start + inserted.length)}`)
  if (lastEdit !== 'typing' && lastEdit !== 'candidate') return
  const before = text.slice(Math.max(0, start - longestPath), start)
  for (const { word, end } of wordsIn(before + inserted)) if (end > before.length) chat.textMentions.delete(word)
}

/** Mentions in the text attach nothing, except those that are beside it, too. */
export function keepAsText(text: string, { textMentions }: ChatState, beside = ''): void {
  const known = new Set(wordsIn(beside).map(({ word }) => word))
  for (const { word } of wordsIn(text)) if (!known.has(word)) textMentions.add(word)
}

/**
 * Reads the files that are not attached already, each once.
 * @returns also the paths that are no files, with the reason.
 * @throws UsageError for a file that cannot be read, or is gone after it was offered or attached.
 */
export async function readMentions(text: string, chat: ChatState) {
  const mentioned: Mentioned[] = []
  const unattached = new Set<string>()
  const isText = (mention: string): boolean => chat.textMentions.has(wordOf(mention))
  // A pasted path may have a typed end.
  const isPastedStart = (path: string, word: string): boolean =>
    [...chat.textMentions].some((one) => word.startsWith(one) && one.startsWith(wordOf(path)))
  for (const [, word = ''] of text.matchAll(mentions)) {
    const found = isText(word) ? undefined : mentionedPath(word, chat)
    if (found === undefined || isPastedStart(found.label.slice(1), word)) continue
    const { path, lines, label, stats } = found
    const attached = [...chat.attachments, ...mentioned]
    const kind = stats && isImageFile(path) ? 'image' : 'file'
    const name = kind === 'image' ? path : found.name
    if (!stats?.isFile()) unattached.add(`${label} (${stats ? 'a directory' : 'no such file'})`)
    else if (!isAttached(name, attached)) {
      chat.offeredFiles.add(unquoted(label.slice(1)))
      const read = await readAttachment({ kind, name }, label, chat, attached)
      mentioned.push({ ...read, bytes: lines && read.kind === 'file' ? Buffer.byteLength(read.text) : stats.size })
    }
  }
  for (const path of pathsAround(text, chat)) unattached.add(`${path} (@${path} attaches it)`)
  return { mentioned, unattached: [...unattached] }
}

/** Files without an `@`, before or after a question, where one is dropped. Paths within a text may be those of a log. */
function pathsAround(text: string, { context: { io } }: ChatState): string[] {
  const words = text.trim().split(/\s+/)
  const paths = [words[0] ?? '', words.at(-1) ?? ''].filter((word) => /^(?:~|\.{0,2})\/(?!\/)/.test(word))
  return paths.filter((path) => path.length <= longestPath && isFile(existingPath(path, io)))
}

interface MentionedPath extends FileLines {
  /** The mention as typed, with its `@`. */
  readonly label: string
  readonly stats: Stats | undefined
}

/** @returns a file, or what is meant as a path, but is none. */
function mentionedPath(word: string, { context: { io }, offeredFiles }: ChatState): MentionedPath | undefined {
  // A decorator or a method, as in `@app.get("/a.js")`.
  const isCall = /^[\w.]+\(/.test(word)
  let error: UsageError | undefined
  let missing: MentionedPath | undefined
  for (const typed of readings(word)) {
    // Neither standard input nor a URL.
    const file = fileLines(typed, (name) => existingPath(name, io).replace(/^(?=-$|\w{2,}:)/, './'))
    const stats = statsOf(file.path)
    const found = { ...file, label: `@${typed}`, stats }
    if (stats?.isFile()) return found
    const isExpected = stats ? !stats.isDirectory() : offeredFiles.has(unquoted(typed))
    if (isExpected) {
      const why = stats ? 'not a regular file' : 'no such file'
      error ??= new UsageError(`${found.label}: ${why}`, { hint: 'to send it as text, put a space after the @' })
    }
    // Without its end, a pattern such as `@src/*` may be a directory.
    if (!isCall && !(stats && missing) && isMeantAsPath(unquoted(typed), io)) missing = found
  }
  if (error) throw error
  return missing
}

/** The word, then without what may belong to the sentence at its end, as long as it may be a path. In quotes, only the word. */
function* readings(word: string): Generator<string> {
  for (let typed = word.slice(0, longestPath); !/^~?[./]*$/.test(typed); typed = sentenceEnd.exec(typed)?.[1] ?? '') {
    // A sentence without spaces is no name: no file system has longer ones.
    if (!/[^/]{256}/.test(typed)) yield typed
    if (/^["']/.test(typed)) return
  }
}

/** Whether its first folder exists, unlike that of `@types/node`, or it has an extension and is no alias such as `@/store.ts`. */
function isMeantAsPath(path: string, io: Pick<Io, 'env'>): boolean {
  const [folder = ''] = /^\/?[^/]+/.exec(path) ?? []
  if (statsOf(expandHome(folder, io))?.isDirectory()) return true
  return !path.startsWith('/') && extensions.has(extname(path).slice(1).toLowerCase())
}

/** `attached src/a.ts (1.2 kB), photo.png (40 kB)`, and what was not attached. */
export function mentionNotice({ mentioned = [], unattached = [] }: Partial<Draft> = {}): string {
  const names = mentioned.map(({ name, bytes }) => {
    const [size, unit] = bytes < 1000 ? [bytes, 'B'] : bytes < 1e6 ? [bytes / 1e3, 'kB'] : [bytes / 1e6, 'MB']
    return `${name} (${Math.round(size * 10) / 10} ${unit})`
  })
  const attached = names.length > 0 && `attached ${names.join(', ')}`
  const others = unattached.length > 0 && `not attached: ${unattached.join(', ')}`
  return [attached, others].filter(Boolean).join('\n')
}
