/** An answer in Markdown: what was seen, what the rules say, and that nobody thought about it. */

import type { Chance } from '../chance.ts'
import type { Prompt } from '../prompt.ts'
import { writeAcknowledgement } from './acknowledgement.ts'
import { rules } from './rules.ts'
import { readTask, type Task } from './task.ts'
import { writeToolReport } from './tool-report.ts'

/** @param index Number of the choice; it stands in the last line, so that no two choices are alike. */
export function writeText(prompt: Prompt, index: number, chance: Chance): string {
  const task = readTask(prompt, chance)
  const exact = exactAnswer(task.request)
  if (exact !== undefined) return exact
  return [...filesNote(task.request), ...imagesNote(prompt), writeBody(task), signature(prompt.seed, index)].join(
    '\n\n',
  )
}

function writeBody(task: Task): string {
  if (task.turns.at(-1)?.role === 'tool') return writeToolReport(task)
  for (const { pattern, write } of rules) {
    const found = pattern.exec(task.instruction)
    const text = found ? write(task, found) : undefined
    if (text !== undefined) return text
  }
  return writeAcknowledgement(task)
}

/** Who asks for exact words, in a test of a script say, gets nothing else. */
function exactAnswer(request: string): string | undefined {
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
  if (images.length === 0) return []
  const [only] = images
  if (images.length === 1 && only) return [`I was shown **${only.label}**.`]
  return [['I was shown:', '', ...images.map(({ label }, at) => `${at + 1}. **${label}**`)].join('\n')]
}

function signature(seed: number | undefined, index: number): string {
  const details = [seed === undefined ? '' : `seed ${seed}`, index === 0 ? '' : `choice ${index + 1}`]
  const note = details.filter((detail) => detail !== '').join(', ')
  return `*Answered by the syn sandbox, an offline stand-in: no model was asked${note === '' ? '' : ` (${note})`}.*`
}
