/** Writes answers in Markdown: the images seen, the text of a writer, and a note that no model was used. */

import { isObject, parseJsonIfValid } from '../../io/json/json.ts'
import { pluralize } from '../../io/text/plural.ts'
import { lastRequest, type Prompt } from '../prompt.ts'
import { hash } from '../tokens.ts'
import { writeCode, writeHello, writeTable } from './languages.ts'
import { excerpt, wordsOf, type WritingTask } from './task.ts'

interface WritingRule {
  readonly pattern: RegExp
  /** Returns `undefined` if the rule does not fit after all. */
  readonly write: (task: WritingTask, found: RegExpExecArray) => string | undefined
}

/** The first rule whose pattern matches the instruction writes the answer; `writeEcho` if none does. */
const rules: readonly WritingRule[] = [
  { pattern: /\bcount\b(?: up| down)?(?: from (\d+))?(?: up| down)? to (\d+)\b/i, write: writeCount },
  {
    pattern: /\b(?:what|which)\b.*\b(?:i|my)\b.*\b(?:ask|asked|say|said|tell|told|first|last|previous|before)\b/i,
    write: writeRecall,
  },
  { pattern: /\b(?:hello|greetings?)\b/i, write: writeHello },
  { pattern: /\b(?:compare|comparison|difference|table|versus|vs)\b/i, write: writeTable },
  { pattern: /\b(?:code|function|program|script|snippet|implement)\b|\bin ([\w#+]+)\.?$/i, write: writeCode },
]

/** @param index The index of the choice. It is in the last line, so that all choices differ. */
export function writeText(prompt: Prompt, index: number): string {
  const { turns, seed } = prompt
  const request = lastRequest(turns).trim()
  const exact = exactWords(request)
  if (exact !== undefined) return exact
  const [instruction = ''] = request.split(/\n\s*\n/, 1)
  const body = writeBody({ request, instruction, turns, seed: hash(JSON.stringify([turns, seed ?? null, index])) })
  return [...imagesNote(prompt), body, signature(seed, index)].join('\n\n')
}

function writeBody(task: WritingTask): string {
  if (task.turns.at(-1)?.role === 'tool') return writeToolReport(task)
  for (const { pattern, write } of rules) {
    const found = pattern.exec(task.instruction)
    const text = found ? write(task, found) : undefined
    if (text !== undefined) return text
  }
  return writeEcho(task)
}

/**
 * A request for exact words, for example in a test of a script, gets only these words. They follow a colon, are in quotes,
 * or are a single word: `exactly three lines` is not such a request.
 */
const exactPattern =
  /\b(?:reply|respond|answer|say|write|output)\b[^.:"]*?\b(?:exactly|the words?)(?::\s*(.+)|\s+(["“'`].+["”'`])|\s+(\S+?))\.?$/is

function exactWords(request: string): string | undefined {
  const [, afterColon, quoted, word] = exactPattern.exec(request) ?? []
  return (afterColon ?? quoted ?? word)?.replace(/^["“'`](.*)["”'`]$/s, '$1')
}

function imagesNote({ turns }: Prompt): string[] {
  const images = turns.findLast((turn) => turn.role === 'user')?.images ?? []
  return images.map((image) => `You sent **${image}**.`)
}

function signature(seed: number | undefined, index: number): string {
  const details = [seed === undefined ? '' : `seed ${seed}`, index === 0 ? '' : `choice ${index + 1}`]
  const note = details.filter((detail) => detail !== '').join(', ')
  return `*Answered by the syn sandbox, an offline stand-in: no model was used${note === '' ? '' : ` (${note})`}.*`
}

/** The answer if no other writer fits. */
function writeEcho({ request, turns }: WritingTask): string {
  const system = turns.find((turn) => turn.role === 'system')
  const earlier = turns.filter((turn) => turn.role === 'user' || turn.role === 'assistant').length - 1
  const notes = [
    ...(system ? [`- The **system** prompt is “${excerpt(system.text, 80)}”.`] : []),
    ...(earlier > 0 ? [`- ${pluralize(earlier, 'message')} came before this one.`] : []),
  ]
  const examples =
    'Try *“say hello in five languages”*, *“write a Python function”*, *“a table of three languages”* or *“count to 20”*.'
  const parts = ['## You wrote', `> ${excerpt(request, 200)}`, notes.join('\n'), examples]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** Lists the user's earlier messages: this shows that the whole conversation was sent. */
function writeRecall({ turns }: WritingTask): string {
  const sent = turns.filter((turn) => turn.role === 'user').slice(0, -1)
  if (sent.length === 0) return 'Nothing: this is the **first message** of our conversation.'
  const lines = sent.map(({ text }, at) => `${at + 1}. “${excerpt(text, 120)}”`)
  return [`Before this you sent ${pluralize(sent.length, 'message')}:`, '', ...lines].join('\n')
}

/** Lists the results of the tools called since the user's last message. */
function writeToolReport({ turns, request }: WritingTask): string {
  const start = turns.findLastIndex((turn) => turn.role !== 'tool') + 1
  const reports = turns.slice(start).map(({ tool, text }) => {
    const value = parseJsonIfValid(text)
    const result = isObject(value)
      ? Object.entries(value).map(
          ([key, entry]) => `\n- **${key}:** ${typeof entry === 'string' ? entry : JSON.stringify(entry)}`,
        )
      : [` ${excerpt(text, 400)}`]
    return `${tool ? `**${tool}** returned` : 'The tool returned'}:${result.join('')}`
  })
  return [`You asked “${excerpt(request, 120)}”.`, ...reports].join('\n\n')
}

const maxCount = 100_000

/** Numbers, one per line: a long count is a good test of streaming. */
function writeCount(_task: WritingTask, [, from = '1', to]: RegExpExecArray): string | undefined {
  const [first, last] = [Number(from), Number(to)]
  if (Math.abs(last - first) > maxCount) return undefined
  const step = last < first ? -1 : 1
  const numbers = Array.from({ length: Math.abs(last - first) + 1 }, (_, at) => first + at * step)
  return numbers.join('  \n')
}

/**
 * Continues the prompt of a text completion.
 * @param variant The index among the completions of the same prompt: each one differs.
 */
export function continueText(prompt: string, variant: number): string {
  const words = wordsOf(prompt)
  const last = words.slice(-3).join(' ')
  const space = prompt === '' || /\s$/.test(prompt) ? '' : ' '
  const count = `The prompt has ${pluralize(words.length, 'word')} and starts with “${excerpt(prompt, 40)}”.`
  const ending = last === '' ? '' : ` It ends with “${last}”.`
  const number = variant === 0 ? '' : ` This is completion number ${variant + 1}.`
  const opening = `${space}and here the sandbox, an offline stand-in, continues the text. ${count}${ending}${number}`
  return `${opening}\n\nA real model would write the next words. The end.\n`
}
