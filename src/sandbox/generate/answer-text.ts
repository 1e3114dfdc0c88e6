/** Writes answers in Markdown: the images seen, what the words of the request ask for, and a note that no model was used. */

import { pluralize } from '../../io/text/plural.ts'
import { lastRequest, type Prompt, type Turn } from '../prompt.ts'

const greetings = `**Hello** in three languages:

- **Spanish:** ¡Hola!
- **French:** Bonjour !
- **Japanese:** こんにちは！ (*Konnichiwa!*)`

const table = `## Bash, Python and Rust

| Language | Since | Run it with |
| :--- | ---: | :--- |
| **Bash** | 1989 | \`bash answer.sh\` |
| **Python** | 1991 | \`python3 answer.py\` |
| **Rust** | 2012 | \`rustc answer.rs && ./answer\` |`

/** A part of an answer, and the words that ask for it. */
type Writer = readonly [asked: RegExp, write: (found: RegExpExecArray, request: string) => string]

const writers: readonly Writer[] = [
  [/\bcount to (\d{1,5})\b/i, ([, to]) => countTo(Number(to))],
  [/\bhello in\b/i, () => greetings],
  [/\btable\b/i, () => table],
  [/\b(?:code|function|program|script|snippet|implement)\b/i, (_found, request) => writeProgram(request)],
]

/** @param index The index of the choice. It is in the last line, so that all choices differ. */
export function composeText({ turns, seed }: Prompt, index: number): string {
  const images = turns.findLast((turn) => turn.role === 'user')?.images ?? []
  const notes = images.map((image) => `You sent **${image}**.`)
  return [...notes, ...writeBody(turns), signature(seed, index)].join('\n\n')
}

function writeBody(turns: readonly Turn[]): string[] {
  const request = lastRequest(turns).trim()
  if (turns.at(-1)?.role === 'tool') return reportTools(turns, request)
  // The first paragraph says what to do; what follows may be a long text.
  const [instruction = ''] = request.split(/\n\s*\n/, 1)
  const fitting = writers.flatMap(([asked, write]) => {
    const found = asked.exec(instruction)
    return found ? [write(found, request)] : []
  })
  return fitting.length > 0 ? fitting : echo(turns, request)
}

function signature(seed: number | undefined, index: number): string {
  const details = [...(seed === undefined ? [] : [`seed ${seed}`]), ...(index === 0 ? [] : [`choice ${index + 1}`])]
  const note = details.length === 0 ? '' : ` (${details.join(', ')})`
  return `*Answered by the syn sandbox, an offline stand-in: no model was used${note}.*`
}

/** The answer to a request that asks for none of the parts. It shows that the whole conversation was sent. */
function echo(turns: readonly Turn[], request: string): string[] {
  const system = turns.find((turn) => turn.role === 'system')
  const [first, ...others] = turns.filter((turn) => turn.role !== 'system')
  const notes = [
    ...(system ? [`- The **system** prompt is “${excerpt(system.text, 80)}”.`] : []),
    ...(first && others.length > 0
      ? [`- ${pluralize(others.length, 'message')} came before, the first one: “${excerpt(first.text, 80)}”.`]
      : []),
  ]
  const examples =
    'Try *“say hello in three languages”*, *“write a script”*, *“a table of three languages”* or *“count to 20”*.'
  return ['## You wrote', `> ${excerpt(request, 200)}`, ...(notes.length > 0 ? [notes.join('\n')] : []), examples]
}

/** The results of the tools called since the last message that is none. */
function reportTools(turns: readonly Turn[], request: string): string[] {
  const results = turns.slice(turns.findLastIndex((turn) => turn.role !== 'tool') + 1)
  const reports = results.map(({ tool, text }) => {
    const name = tool === undefined ? 'The tool' : `**${tool}**`
    return `${name} returned: ${excerpt(text, 400)}`
  })
  return [`You asked “${excerpt(request, 120)}”.`, ...reports]
}

/** Numbers, one per line: a long count is a good test of streaming. */
function countTo(last: number): string {
  return Array.from({ length: last }, (_, at) => at + 1).join('  \n')
}

function writeProgram(request: string): string {
  // Without characters that would need escaping.
  const text = excerpt(request.replace(/[^\p{L}\p{N} ]+/gu, ' '), 60).replace('…', '')
  return `A program in **Bash** that prints the first words of your request:

\`\`\`bash
#!/usr/bin/env bash
set -euo pipefail

# A placeholder for a real answer.
answer="${text}"
for word in $answer; do
  printf '%s\\n' "$word"
done
\`\`\``
}

/** Continues the prompt of a text completion. @param variant The index among its completions: each one differs. */
export function continueText(prompt: string, variant: number): string {
  const space = prompt === '' || /\s$/.test(prompt) ? '' : ' '
  const count = `The prompt has ${pluralize(wordsOf(prompt).length, 'word')} and starts with “${excerpt(prompt, 40)}”.`
  const number = variant === 0 ? '' : ` This is completion number ${variant + 1}.`
  return `${space}and here the sandbox, an offline stand-in, continues the text. ${count}${number}\n`
}

export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}'’-]+/gu) ?? []
}

/** The start of a text on one line, at most `length` characters, with `…` if truncated. */
export function excerpt(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = [...line]
  if (characters.length <= length) return line
  const start = characters.slice(0, length - 1).join('')
  return `${start.trimEnd()}…`
}
