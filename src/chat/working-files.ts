/** The list of the files below the working directory that can be attached. */

import { filesBelow } from '../io/files/folder-files.ts'
import type { Io } from '../io/io.ts'
import { yieldToEventLoop } from '../io/time/abort-signal.ts'
import { pause } from '../io/time/time.ts'
import type { Candidate, Candidates } from '../terminal/line-editor/candidate-list.ts'

const maxFiles = 20_000

/** In milliseconds: how old a list may be, and how long the first one is awaited before what was found so far is shown. */
const times = { refresh: 3000, first: 300 }

export type ListFiles = () => Candidates | Promise<Candidates>

type CandidateOf = (path: string) => Candidate

/**
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
    try {
      for await (const path of filesBelow('.', { signal })) {
        if (found.push(candidateOf(path)) === maxFiles) break
        if (found.length % 256 === 0) await yieldToEventLoop()
      }
    } catch {
      // The working directory may have been removed.
    }
    listed = found
    readAt = io.elapsed()
    reading = undefined
  }
  return () => {
    if (io.elapsed() - readAt > times.refresh) reading ??= read()
    return listed ?? Promise.race([reading, pause(times.first, { ref: false })]).then(() => [...found])
  }
}
