/** Answers that give back what was sent: the request itself, the conversation, a tool's result, the beginning of a text. */

import { isObject, type Json } from '../../io/json.ts'
import { beginning, plural, wordsOf } from './phrases.ts'
import type { Task } from './task.ts'

/** Where no other writer fits. */
export function writeEcho({ request, turns }: Task): string {
  const system = turns.find((turn) => turn.role === 'system')
  const earlier = turns.filter((turn) => turn.role === 'user' || turn.role === 'assistant').length - 1
  const notes = [
    ...(system ? [`- The **system** instruction begins “${beginning(system.text, 80)}”.`] : []),
    ...(earlier > 0 ? [`- ${plural(earlier, 'message')} came before it.`] : []),
  ]
  const advice =
    'Try *“say hello in five languages”*, *“write a Python function”*, *“a table of three languages”* or *“count to 20”*.'
  const parts = ['## I have read this', `> ${beginning(request, 200)}`, notes.join('\n'), advice]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** What the user said before: proof that the conversation was sent along. */
export function writeRecall({ turns }: Task): string {
  const sent = turns.filter((turn) => turn.role === 'user').slice(0, -1)
  if (sent.length === 0) return 'Nothing: this is the **first message** of our conversation.'
  const lines = sent.map(({ text }, at) => `${at + 1}. “${beginning(text, 120)}”`)
  return [`Before this you sent ${plural(sent.length, 'message')}:`, '', ...lines].join('\n')
}

/** What the tools returned since the user's last words. */
export function writeToolReport({ turns, request }: Task): string {
  const start = turns.findLastIndex((turn) => turn.role !== 'tool') + 1
  const reports = turns
    .slice(start)
    .map(({ tool, text }) => `${tool ? `**${tool}** says` : 'The tool says'}${resultText(text)}`)
  const question = request === '' ? [] : [`You asked “${beginning(request, 120)}”.`]
  return [...question, ...reports].join('\n\n')
}

function resultText(text: string): string {
  const value = parsed(text)
  if (!isObject(value)) return `: ${beginning(text, 400)}`
  const lines = Object.entries(value).map(
    ([key, entry]) => `- **${key}:** ${typeof entry === 'string' ? entry : JSON.stringify(entry)}`,
  )
  return [':', '', ...lines].join('\n')
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

const longestCount = 100_000

/** Numbers, one a line: long ones make a good test of a stream. */
export function writeCount(_task: Task, [, early, late, end]: RegExpExecArray): string | undefined {
  const first = Number(early ?? late ?? 1)
  const last = Number(end)
  if (Math.abs(last - first) > longestCount) return undefined
  const step = last < first ? -1 : 1
  const numbers = Array.from({ length: Math.abs(last - first) + 1 }, (_, at) => first + at * step)
  return numbers.join('  \n')
}

/**
 * Goes on where the prompt of a text completion stops.
 * @param variant Number among the completions of the same prompt: each one differs.
 */
export function continueText(prompt: string, variant: number): string {
  const words = wordsOf(prompt)
  const last = words.slice(-3).join(' ')
  const space = prompt === '' || /\s$/.test(prompt) ? '' : ' '
  const count = `It was given ${plural(words.length, 'word')} to start from, beginning “${beginning(prompt, 40)}”.`
  const memory = last === '' ? '' : ` It looked back once, at “${last}”.`
  const number = variant === 0 ? '' : ` This is completion number ${variant + 1}.`
  const opening = `${space}and that is where the stand-in picks up the thread. ${count}${memory}${number}`
  return `${opening}\n\nThe next words would be a real model’s to write. The end.\n`
}
