/** Writes greetings in natural languages, and programs and tables of programming languages. */

import { hash } from '../tokens.ts'
import { excerpt, type WritingTask } from './task.ts'

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
export function writeHello({ instruction, seed }: WritingTask): string | undefined {
  const names = Object.keys(greetings)
  const named = names.filter((name) => new RegExp(String.raw`\b${name}\b`, 'i').test(instruction))
  const chosen = named.length > 0 ? named : anyOf(names, instruction, seed)
  if (chosen.length === 0) return undefined
  const where = chosen.length === 1 ? '' : ` in ${numbers[chosen.length]} languages`
  return [`**Hello**${where}:`, '', ...chosen.map((name) => `- **${name}:** ${greetings[name]}`)].join('\n')
}

/** A program in the language that the instruction names, and the command that runs it. */
export function writeCode({ instruction, request }: WritingTask, [, last]: RegExpExecArray): string | undefined {
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
export function writeTable({ instruction, request, seed }: WritingTask): string | undefined {
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
