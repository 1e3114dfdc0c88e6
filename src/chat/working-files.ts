/** The files below the working directory that can be attached, without what .gitignore excludes; git is not run. */

import { opendir, realpath } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { readStart } from '../io/files/regular-file.ts'
import { statsOf } from '../io/files/stats.ts'
import type { Io } from '../io/io.ts'
import { pause } from '../io/time/timer.ts'
import type { Candidate, Candidates } from '../terminal/line-editor/tab-completion.ts'

const maxFiles = 20_000

/** In milliseconds: how old a list may be, and how long the first one is awaited before what was found so far is shown. */
const times = { refresh: 3000, first: 300 }

/** In bytes. */
const longestGitignore = 256 * 1024

export type ListFiles = () => Candidates | Promise<Candidates>

type CandidateOf = (path: string) => ShownPath | undefined

type ShownPath = Candidate & { readonly shown: string }

/**
 * @param candidateOf `undefined` for a path that is not offered.
 * @param signal Stops the reading.
 * @returns lists the files, the nearest first; they are read again in the background if that was seconds ago.
 */
export function openWorkingFiles(io: Pick<Io, 'elapsed'>, candidateOf: CandidateOf, signal: AbortSignal): ListFiles {
  let listed: Candidates | undefined
  let found: Candidate[] = []
  let readAt = -Infinity
  let reading: Promise<void> | undefined
  const read = async (): Promise<void> => {
    found = []
    await addFiles(found, candidateOf, signal).catch(() => undefined)
    listed = found
    readAt = io.elapsed()
    reading = undefined
  }
  return () => {
    if (io.elapsed() - readAt > times.refresh) reading ??= read()
    return listed ?? Promise.race([reading, pause(times.first, { ref: false })]).then(() => [...found])
  }
}

/** Breadth first. Each entry takes less than a frame, and the event loop turns after some. */
async function addFiles(found: Candidate[], candidateOf: CandidateOf, signal: AbortSignal): Promise<void> {
  const root = await realpath('.')
  const top = repositoryOf(root) ?? root
  const start = top === root ? '' : `${relative(top, root).replaceAll('\\', '/')}/`
  let rules = ignore({ ignorecase: false })
  for (const { index } of start.matchAll(/(?<=^|\/)[^/]/g)) rules = rulesOf(top, start.slice(0, index), rules)
  const folders = [{ folder: start, rules }]
  for (const { folder, rules: outer } of folders) {
    const inner = rulesOf(top, folder, outer)
    const files: ShownPath[] = []
    const subfolders: string[] = []
    try {
      for await (const entry of await opendir(join(top, folder))) {
        if (signal.aborted) return
        const path = `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`
        if (entry.name.startsWith('.') || inner.ignores(path)) continue
        if (entry.isDirectory()) subfolders.push(path)
        // What a link leads to is listed itself, or must not be.
        const candidate = entry.isFile() ? candidateOf(path.slice(start.length)) : undefined
        if (candidate) files.push(candidate)
      }
    } catch {
      // Such as a directory that is closed to the user.
    }
    // To sort more takes longer than a frame.
    if (files.length < 5000) files.sort((one, other) => (one.shown < other.shown ? -1 : 1))
    for (const file of files) if (found.push(file) === maxFiles) return
    for (const path of subfolders.sort()) folders.push({ folder: path, rules: inner })
  }
}

/** The closest directory with a repository. */
function repositoryOf(folder: string): string | undefined {
  if (statsOf(join(folder, '.git'))) return folder
  const parent = dirname(folder)
  return parent === folder ? undefined : repositoryOf(parent)
}

/** Adds the patterns of a .gitignore: of several that match, the last one applies. @param folder Ends with a slash, or is empty. */
function rulesOf(top: string, folder: string, rules: Ignore): Ignore {
  try {
    const text = readStart(join(top, folder, '.gitignore'), longestGitignore)
    if (text === undefined) return rules
    const lines = text.replace(/^\ufeff|\0/g, '').split(/\r?\n/)
    return ignore({ ignorecase: false })
      .add(rules)
      .add(lines.map((line) => withFolder(line, folder)))
  } catch {
    return rules
  }
}

// `a` → `/folder/**/a`, `/a` → `/folder/a`, `a/b` → `/folder/a/b`
function withFolder(line: string, folder: string): string {
  const [, not, pattern = ''] = /^(!?)(?!#|\s*$)(.*)$/.exec(line) ?? []
  if (not === undefined) return ''
  const below = /\/.*\S/.test(pattern) ? pattern.replace(/^\//, '') : `**/${pattern}`
  return `${not}/${folder.replace(/[\\*?[\]]/g, '\\$&')}${below}`
}
