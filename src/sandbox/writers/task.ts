/** What a writer is given. */

import type { Chance } from '../chance.ts'
import { lastRequest, type Prompt, type Turn } from '../prompt.ts'

export interface Task {
  /** The user's last words, whole. */
  readonly request: string
  /** Its first paragraph: what to do. */
  readonly instruction: string
  /** What it is to be done with: the text after the instruction, or else the request itself. */
  readonly material: string
  readonly turns: readonly Turn[]
  readonly chance: Chance
}

export function readTask({ turns }: Prompt, chance: Chance): Task {
  const request = lastRequest(turns).trim()
  const [instruction = '', rest = ''] = splitRequest(request)
  return { request, instruction, material: rest.trim() === '' ? request : withoutFences(rest.trim()), turns, chance }
}

/** After the first blank line, or after a colon such as that of `Summarise: …`. */
function splitRequest(request: string): string[] {
  const blank = /^(.*?)\r?\n\s*\r?\n(.*)$/s.exec(request)
  const colon = /^([^\n:]{1,60}):\s+(.*)$/s.exec(request)
  const found = blank ?? colon
  return found ? found.slice(1) : [request]
}

/** Attached files stand under their names in fences; what counts is the text inside. */
function withoutFences(text: string): string {
  return text.replace(/^.+:\n(`{3,})\w*\n(.*?)\n\1$/gms, '$2').trim()
}
