import type { Io } from '../io/io.ts'
import type { Secrets } from '../io/secrets.ts'
import type { Notices } from '../notices.ts'
import { conversationsDirectory } from '../io/directories.ts'
import type { Mask } from './writer.ts'

/** Where conversations are, and what else is needed to read and write them. */
export interface Place {
  readonly folder: string
  readonly mask: Mask
  say(text: string): Promise<void>
  /** Milliseconds since 1970. */
  now(): number
}

export function placeOf({ io, notices, secrets }: { io: Io; notices: Notices; secrets: Secrets }): Place {
  return {
    folder: conversationsDirectory(io),
    mask: (text) => secrets.mask(text),
    say: (text) => notices.say(text),
    now: io.now,
  }
}
