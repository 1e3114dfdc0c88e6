/** Writes answers in Markdown: the images seen, the text of a writer, and a note that no model was used. */

import { isObject, parseJsonIfValid } from '../../io/json/json.ts'
import { pluralize } from '../../io/text/plural.ts'
import { lastRequest, type Prompt, type Turn } from '../prompt.ts'
import { hash } from '../tokens.ts'

/** What writers get. */
interface WritingTask {
  /** The user's last message. */
  readonly request: string
  /** Its first paragraph: what to do. */
  readonly instruction: string
  readonly turns: readonly Turn[]
  /** Determines the writer's random choices. */
  readonly seed: number
}

/** @returns `undefined` if it does not fit after all. */
type Writer = (task: WritingTask, found: RegExpExecArray) => string | undefined

/** The first writer whose pattern matches the instruction writes the answer; `writeEcho` if none does. */
const writers: readonly (readonly [RegExp, Writer])[] = [
  [/\bcount\b(?: up| down)?(?: from (\d+))?(?: up| down)? to (\d+)\b/i, writeCount],
  [/\b(?:what|which)\b.*\b(?:i|my)\b.*\b(?:ask|asked|say|said|tell|told|first|last|previous|before)\b/i, writeRecall],
  [/\b(?:hello|greetings?)\b/i, writeHello],
  [/\b(?:compare|comparison|difference|table|versus|vs)\b/i, writeTable],
  [/\b(?:code|function|program|script|snippet|implement)\b|\bin ([\w#+]+)\.?$/i, writeCode],
]

/** @param index The index of the choice. It is in the last line, so that all choices differ. */
export function composeText(prompt: Prompt, index: number): string {
  const { turns, seed } = prompt
  const request = lastRequest(turns).trim()
  const exact = exactWords(request)
  if (exact !== undefined) return exact
  const [instruction = ''] = request.split(/\n\s*\n/, 1)
  const body = writeBody({ request, instruction, turns, seed: hash(JSON.stringify([turns, seed ?? null, index])) })
  const images = turns.findLast((turn) => turn.role === 'user')?.images ?? []
  const notes = images.map((image) => `You sent **${image}**.`)
  return [...notes, body, signature(seed, index)].join('\n\n')
}

function writeBody(task: WritingTask): string {
  if (task.turns.at(-1)?.role === 'tool') return writeToolReport(task)
  for (const [pattern, write] of writers) {
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

function signature(seed: number | undefined, index: number): string {
  const details = [...(seed === undefined ? [] : [`seed ${seed}`]), ...(index === 0 ? [] : [`choice ${index + 1}`])]
  const note = details.length === 0 ? '' : ` (${details.join(', ')})`
  return `*Answered by the syn sandbox, an offline stand-in: no model was used${note}.*`
}

/** The answer if no other writer fits. */
function writeEcho({ request, turns }: WritingTask): string {
  const system = turns.find((turn) => turn.role === 'system')
  const earlier = turns.filter((turn) => turn.role === 'user' || turn.role === 'assistant').length - 1
  const notes = [
    system && `- The **system** prompt is “${excerpt(system.text, 80)}”.`,
    earlier > 0 && `- ${pluralize(earlier, 'message')} came before this one.`,
  ]
  const examples =
    'Try *“say hello in five languages”*, *“write a Python function”*, *“a table of three languages”* or *“count to 20”*.'
  const parts = ['## You wrote', `> ${excerpt(request, 200)}`, notes.filter(Boolean).join('\n'), examples]
  return parts.filter(Boolean).join('\n\n')
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

const greetings: Readonly<Record<string, string>> = {
  Spanish: '¡Hola!',
  French: 'Bonjour !',
  Japanese: 'こんにちは！ (*Konnichiwa!*)',
  German: 'Guten Tag!',
  Italian: 'Ciao!',
  Korean: '안녕하세요! (*Annyeonghaseyo!*)',
  Arabic: 'مرحبا! (*Marhaban!*)',
  Hawaiian: 'Aloha!',
  Finnish: 'Hei!',
  Welsh: 'Helô!',
}

interface Language {
  readonly name: string
  /** Year of the first release. */
  readonly year: number
  /** The info string of a code block. */
  readonly fence: string
  /** The shell command that runs the program. */
  readonly command: string
  /** Other names. */
  readonly words?: readonly string[]
}

const languages: readonly [Language, ...Language[]] = [
  { name: 'Python', year: 1991, fence: 'python', command: 'python3 answer.py', words: ['py', 'python3'] },
  { name: 'JavaScript', year: 1995, fence: 'javascript', command: 'node answer.js', words: ['js', 'node', 'nodejs'] },
  { name: 'Bash', year: 1989, fence: 'bash', command: 'bash answer.sh', words: ['sh', 'shell', 'zsh', 'one-liner'] },
  { name: 'Rust', year: 2012, fence: 'rust', command: 'rustc answer.rs && ./answer' },
  { name: 'Go', year: 2009, fence: 'go', command: 'go run answer.go', words: ['golang'] },
  { name: 'C++', year: 1985, fence: 'cpp', command: 'c++ answer.cpp -o answer && ./answer', words: ['cpp', 'cxx'] },
  { name: 'C', year: 1972, fence: 'c', command: 'cc answer.c -o answer && ./answer' },
  { name: 'Ruby', year: 1995, fence: 'ruby', command: 'ruby answer.rb', words: ['rb'] },
]

/** A program for each language. %s is replaced by letters, digits and spaces, which need no escaping. */
const programs: Readonly<Record<string, string>> = {
  python: 'def answer() -> str:\n    """A placeholder for a real answer."""\n    return "%s"\n\n\nprint(answer())',
  javascript: "// A placeholder for a real answer.\nconst answer = '%s'\n\nconsole.log(answer)",
  bash: '#!/usr/bin/env bash\nset -euo pipefail\n\n# A placeholder for a real answer.\necho "%s"',
  rust: '// A placeholder for a real answer.\nfn main() {\n    println!("{}", "%s");\n}',
  go: 'package main\n\nimport "fmt"\n\n// A placeholder for a real answer.\nfunc main() {\n\tfmt.Println("%s")\n}',
  cpp: '#include <iostream>\n\n// A placeholder for a real answer.\nint main() {\n    std::cout << "%s\\n";\n}',
  c: '#include <stdio.h>\n\n/* A placeholder for a real answer. */\nint main(void) {\n    puts("%s");\n}',
  ruby: '# A placeholder for a real answer.\ndef answer = "%s"\n\nputs answer',
}

const numbers = 'zero one two three four five six seven eight nine ten'.split(' ')
const list = new Intl.ListFormat('en-GB')

/** Greetings in the languages that the instruction names, or in as many as it asks for. */
function writeHello({ instruction, seed }: WritingTask): string | undefined {
  const names = Object.keys(greetings)
  const named = names.filter((name) => new RegExp(String.raw`\b${name}\b`, 'i').test(instruction))
  const chosen = named.length > 0 ? named : anyOf(names, instruction, seed)
  if (chosen.length === 0) return undefined
  const where = chosen.length === 1 ? '' : ` in ${numbers[chosen.length]} languages`
  return [`**Hello**${where}:`, '', ...chosen.map((name) => `- **${name}:** ${greetings[name]}`)].join('\n')
}

/** A program in the language that the instruction names, and the command that runs it. */
function writeCode({ instruction, request }: WritingTask, [, last]: RegExpExecArray): string | undefined {
  const [named] = languagesIn(instruction)
  // `… in X` asks for code only if X is a programming language.
  if (last !== undefined && !named) return undefined
  const language = named ?? languages[0]
  return [
    `Here is a program in **${language.name}**. It prints the start of your request:`,
    programBlock(language, request),
    'Run it with:',
    `\`\`\`sh\n${language.command}\n\`\`\``,
  ].join('\n\n')
}

/** A table of the languages named, or of as many as asked for; then a program in the first one, if asked for. */
function writeTable({ instruction, request, seed }: WritingTask): string | undefined {
  const named = languagesIn(instruction)
  const compared = named.length > 1 ? named : anyOf(languages, instruction, seed)
  const [first] = compared
  if (first === undefined) return undefined
  const rows = compared.map(({ name, year, command }) => `| **${name}** | ${year} | \`${command}\` |`)
  const heading = `## ${list.format(compared.map(({ name }) => name))}`
  const table = ['| Language | Since | Run it with |', '| :--- | ---: | :--- |', ...rows].join('\n')
  const isProgramWanted = /\b(?:code|examples?|programs?|snippet)\b/i.test(instruction)
  if (!isProgramWanted) return `${heading}\n\n${table}`
  const introduction = `A program in **${first.name}** that prints the start of your question:`
  return [heading, table, introduction, programBlock(first, request)].join('\n\n')
}

/** As many options as the instruction asks for, in digits or words; the seed determines which. */
function anyOf<T>(options: readonly T[], instruction: string, seed: number): T[] {
  const found = new RegExp(String.raw`\b(\d+|${numbers.join('|')})\b.*\blanguages?\b`, 'i').exec(instruction)?.[1]
  if (found === undefined) return []
  const word = numbers.indexOf(found.toLowerCase())
  const keyed = options.map((option) => ({ option, key: hash(`${seed} ${JSON.stringify(option)}`) }))
  const shuffled = keyed.toSorted((a, b) => a.key - b.key).map(({ option }) => option)
  return shuffled.slice(0, word === -1 ? Number(found) : word)
}

/** The programming languages that a text names, in the order of the text. */
function languagesIn(text: string): Language[] {
  const words = text.toLowerCase().match(/[a-z0-9#+-]+/g) ?? []
  const called = (word: string): Language | undefined =>
    languages.find(({ name, words }) => name.toLowerCase() === word || words?.includes(word))
  return [...new Set(words.flatMap((word) => called(word) ?? []))]
}

function programBlock({ fence }: Language, request: string): string {
  const text = excerpt(request.replace(/[^\p{L}\p{N} ]+/gu, ' '), 60).replace('…', '')
  return `\`\`\`${fence}\n${programs[fence]?.replace('%s', text)}\n\`\`\``
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
