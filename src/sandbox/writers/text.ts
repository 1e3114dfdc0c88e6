/** An answer in Markdown: what was seen, what a writer makes of it, and that no model was asked. */

import { hash } from '../hash.ts'
import { lastRequest, type Prompt } from '../prompt.ts'
import { writeCode, writeTable } from './programs.ts'
import { writeCount, writeEcho, writeRecall, writeToolReport } from './echo.ts'
import { writeHello } from './hello.ts'
import type { Task } from './task.ts'

interface Rule {
  readonly pattern: RegExp
  /** Nothing, when on a closer look the rule doesn't fit. */
  readonly write: (task: Task, found: RegExpExecArray) => string | undefined
}

/** Which writer answers what: the first rule whose pattern is found in the instruction, and else the echo. */
const rules: readonly Rule[] = [
  { pattern: /\bcount\b(?: from (\d+))?(?: up)?(?: from (\d+))? to (\d+)\b/i, write: writeCount },
  {
    pattern: /\b(?:what|which)\b.*\b(?:i|my)\b.*\b(?:ask|asked|say|said|tell|told|first|last|previous|before)\b/i,
    write: writeRecall,
  },
  { pattern: /\b(?:hello|hi|hey|greet(?:ing)?s?|good (?:morning|day|evening))\b/i, write: writeHello },
  { pattern: /\b(?:compare|comparison|difference|table|versus|vs)\b/i, write: writeTable },
  {
    pattern: /\b(?:code|function|program|script|snippet|one-liner|class|regex|query|implement)\b|\bin ([\w#+]+)\.?$/i,
    write: writeCode,
  },
]

/** @param index Number of the choice; it stands in the last line, so that no two choices are alike. */
export function writeText(prompt: Prompt, index: number): string {
  const { turns, seed } = prompt
  const request = lastRequest(turns).trim()
  const exact = exactWords(request)
  if (exact !== undefined) return exact
  const [instruction = ''] = request.split(/\n\s*\n/, 1)
  const body = writeBody({ request, instruction, turns, seed: hash(JSON.stringify([turns, seed ?? null, index])) })
  return [...filesNote(request), ...imagesNote(prompt), body, signature(seed, index)].join('\n\n')
}

function writeBody(task: Task): string {
  if (task.turns.at(-1)?.role === 'tool') return writeToolReport(task)
  for (const { pattern, write } of rules) {
    const found = pattern.exec(task.instruction)
    const text = found ? write(task, found) : undefined
    if (text !== undefined) return text
  }
  return writeEcho(task)
}

/** A request for exact words, in a test of a script for example, gets nothing else. */
function exactWords(request: string): string | undefined {
  const asked = /\b(?:reply|respond|answer|say|write|output)\b[^.:"]*?\b(?:exactly|the words?)(:?\s.+)$/is.exec(request)
  // After a colon, in quotes, or one word: `exactly three lines` asks for something else.
  const words = /^(?::\s*(.+)|\s+(["“'`].+["”'`])|\s+(\S+?))\.?$/s.exec(asked?.[1] ?? '')
  return (words?.[1] ?? words?.[2] ?? words?.[3])?.replace(/^["“'`](.*)["”'`]$/s, '$1')
}

/** Attached files stand under their names in fences. */
function filesNote(request: string): string[] {
  const names = [...request.matchAll(/^(\S.*\.\w+|standard input):\n`{3,}/gm)].map(([, name]) => `\`${name}\``)
  return names.length === 0 ? [] : [`I was given ${names.join(', ')}.`]
}

function imagesNote({ turns }: Prompt): string[] {
  const images = turns.findLast((turn) => turn.role === 'user')?.images ?? []
  const [only] = images
  if (images.length === 1 && only) return [`I was shown **${only.label}**.`]
  const list = images.map(({ label }, at) => `${at + 1}. **${label}**`).join('\n')
  return images.length === 0 ? [] : [`I was shown:\n\n${list}`]
}

function signature(seed: number | undefined, index: number): string {
  const details = [seed === undefined ? '' : `seed ${seed}`, index === 0 ? '' : `choice ${index + 1}`]
  const note = details.filter((detail) => detail !== '').join(', ')
  return `*Answered by the syn sandbox, an offline stand-in: no model was asked${note === '' ? '' : ` (${note})`}.*`
}
