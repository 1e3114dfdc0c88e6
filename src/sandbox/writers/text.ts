/** An answer in Markdown: what was seen, what a writer makes of the request, and that no model was asked. */

import { isObject, parseJsonIfValid } from '../../io/json.ts'
import { lastRequest, type Prompt } from '../prompt.ts'
import { hash } from '../tokens.ts'
import { writeCode, writeHello, writeTable } from './languages.ts'
import { beginning, plural, wordsOf, type Task } from './task.ts'

interface Rule {
  readonly pattern: RegExp
  /** Nothing, when on a closer look the rule doesn't fit. */
  readonly write: (task: Task, found: RegExpExecArray) => string | undefined
}

/** Which writer answers what: the first rule whose pattern is found in the instruction, and else the echo. */
const rules: readonly Rule[] = [
  { pattern: /\bcount\b(?: up| down)?(?: from (\d+))?(?: up| down)? to (\d+)\b/i, write: writeCount },
  {
    pattern: /\b(?:what|which)\b.*\b(?:i|my)\b.*\b(?:ask|asked|say|said|tell|told|first|last|previous|before)\b/i,
    write: writeRecall,
  },
  { pattern: /\b(?:hello|greetings?)\b/i, write: writeHello },
  { pattern: /\b(?:compare|comparison|difference|table|versus|vs)\b/i, write: writeTable },
  { pattern: /\b(?:code|function|program|script|snippet|implement)\b|\bin ([\w#+]+)\.?$/i, write: writeCode },
]

/** @param index Number of the choice; it stands in the last line, so that no two choices are alike. */
export function writeText(prompt: Prompt, index: number): string {
  const { turns, seed } = prompt
  const request = lastRequest(turns).trim()
  const exact = exactWords(request)
  if (exact !== undefined) return exact
  const [instruction = ''] = request.split(/\n\s*\n/, 1)
  const body = writeBody({ request, instruction, turns, seed: hash(JSON.stringify([turns, seed ?? null, index])) })
  return [...imagesNote(prompt), body, signature(seed, index)].join('\n\n')
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

/**
 * A request for exact words, in a test of a script for example, gets nothing else. They follow a colon, stand in quotes, or
 * are one word: `exactly three lines` asks for something else.
 */
const exactPattern =
  /\b(?:reply|respond|answer|say|write|output)\b[^.:"]*?\b(?:exactly|the words?)(?::\s*(.+)|\s+(["“'`].+["”'`])|\s+(\S+?))\.?$/is

function exactWords(request: string): string | undefined {
  const [, afterColon, quoted, word] = exactPattern.exec(request) ?? []
  return (afterColon ?? quoted ?? word)?.replace(/^["“'`](.*)["”'`]$/s, '$1')
}

function imagesNote({ turns }: Prompt): string[] {
  const images = turns.findLast((turn) => turn.role === 'user')?.images ?? []
  return images.map((image) => `I was shown **${image}**.`)
}

function signature(seed: number | undefined, index: number): string {
  const details = [seed === undefined ? '' : `seed ${seed}`, index === 0 ? '' : `choice ${index + 1}`]
  const note = details.filter((detail) => detail !== '').join(', ')
  return `*Answered by the syn sandbox, an offline stand-in: no model was asked${note === '' ? '' : ` (${note})`}.*`
}

/** Where no other writer fits. */
function writeEcho({ request, turns }: Task): string {
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
function writeRecall({ turns }: Task): string {
  const sent = turns.filter((turn) => turn.role === 'user').slice(0, -1)
  if (sent.length === 0) return 'Nothing: this is the **first message** of our conversation.'
  const lines = sent.map(({ text }, at) => `${at + 1}. “${beginning(text, 120)}”`)
  return [`Before this you sent ${plural(sent.length, 'message')}:`, '', ...lines].join('\n')
}

/** What the tools returned since the user's last words. */
function writeToolReport({ turns, request }: Task): string {
  const start = turns.findLastIndex((turn) => turn.role !== 'tool') + 1
  const reports = turns.slice(start).map(({ tool, text }) => {
    const value = parseJsonIfValid(text)
    const result = isObject(value)
      ? Object.entries(value).map(
          ([key, entry]) => `\n- **${key}:** ${typeof entry === 'string' ? entry : JSON.stringify(entry)}`,
        )
      : [` ${beginning(text, 400)}`]
    return `${tool ? `**${tool}** says` : 'The tool says'}:${result.join('')}`
  })
  return [`You asked “${beginning(request, 120)}”.`, ...reports].join('\n\n')
}

const longestCount = 100_000

/** Numbers, one a line: long ones make a good test of a stream. */
function writeCount(_task: Task, [, from = '1', to]: RegExpExecArray): string | undefined {
  const [first, last] = [Number(from), Number(to)]
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
