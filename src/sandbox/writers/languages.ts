/** Greetings in the languages that people speak; programs in those they program in, and tables of these. */

import { hash } from '../tokens.ts'
import { beginning, type Task } from './task.ts'

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
  /** Of its first release. */
  readonly year: number
  /** What stands after the opening fence. */
  readonly fence: string
  /** Shell command that runs the program. */
  readonly command: string
  /** Other words for it. */
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

/** A program for each fence. %s becomes letters, digits and spaces: nothing in them needs escaping anywhere. */
const programs: Readonly<Record<string, string>> = {
  python: 'def answer() -> str:\n    """Stands in for a real answer."""\n    return "%s"\n\n\nprint(answer())',
  javascript: "// Stands in for a real answer.\nconst answer = '%s'\n\nconsole.log(answer)",
  bash: '#!/usr/bin/env bash\nset -euo pipefail\n\n# Stands in for a real answer.\necho "%s"',
  rust: '// Stands in for a real answer.\nfn main() {\n    println!("{}", "%s");\n}',
  go: 'package main\n\nimport "fmt"\n\n// Stands in for a real answer.\nfunc main() {\n\tfmt.Println("%s")\n}',
  cpp: '#include <iostream>\n\n// Stands in for a real answer.\nint main() {\n    std::cout << "%s\\n";\n}',
  c: '#include <stdio.h>\n\n/* Stands in for a real answer. */\nint main(void) {\n    puts("%s");\n}',
  ruby: '# Stands in for a real answer.\ndef answer = "%s"\n\nputs answer',
}

const numbers = 'zero one two three four five six seven eight nine ten'.split(' ')
const list = new Intl.ListFormat('en-GB')

/** Greets in the languages asked for: those named, or so many. */
export function writeHello({ instruction, seed }: Task): string | undefined {
  const names = Object.keys(greetings)
  const named = names.filter((name) => new RegExp(String.raw`\b${name}\b`, 'i').test(instruction))
  const chosen = named.length > 0 ? named : anyOf(names, instruction, seed)
  if (chosen.length === 0) return undefined
  const where = chosen.length === 1 ? '' : ` in ${numbers[chosen.length]} languages`
  return [`**Hello**${where}:`, '', ...chosen.map((name) => `- **${name}:** ${greetings[name]}`)].join('\n')
}

/** A program in the language named, and in a second block the command that runs it. */
export function writeCode({ instruction, request }: Task, [, last]: RegExpExecArray): string | undefined {
  const [named] = languagesIn(instruction)
  // `… in X` is about code only when X is a language.
  if (last !== undefined && !named) return undefined
  const language = named ?? languages[0]
  return [
    `Here is something in **${language.name}**. It prints the beginning of what you asked for:`,
    programBlock(language, request),
    'Run it with:',
    `\`\`\`sh\n${language.command}\n\`\`\``,
  ].join('\n\n')
}

/** A table of the languages named, or of as many as were asked for; below it a program in the first, if one is wanted. */
export function writeTable({ instruction, request, seed }: Task): string | undefined {
  const named = languagesIn(instruction)
  const compared = named.length > 1 ? named : anyOf(languages, instruction, seed)
  const [first] = compared
  if (first === undefined) return undefined
  const rows = compared.map(({ name, year, command }) => `| **${name}** | ${year} | \`${command}\` |`)
  const heading = `## ${list.format(compared.map(({ name }) => name))}`
  const table = ['| Language | Since | Run it with |', '| :--- | ---: | :--- |', ...rows].join('\n')
  const isProgramWanted = /\b(?:code|examples?|programs?|snippet)\b/i.test(instruction)
  if (!isProgramWanted) return `${heading}\n\n${table}`
  const introduction = `The beginning of your question, printed in **${first.name}**:`
  return [heading, table, introduction, programBlock(first, request)].join('\n\n')
}

/** As many as the instruction asks for, in digits or words, in an order that the seed determines. */
function anyOf<T>(options: readonly T[], instruction: string, seed: number): T[] {
  const found = new RegExp(String.raw`\b(\d+|${numbers.join('|')})\b.*\blanguages?\b`, 'i').exec(instruction)?.[1]
  if (found === undefined) return []
  const word = numbers.indexOf(found.toLowerCase())
  const keyed = options.map((option) => ({ option, key: hash(`${seed} ${JSON.stringify(option)}`) }))
  const shuffled = keyed.toSorted((a, b) => a.key - b.key).map(({ option }) => option)
  return shuffled.slice(0, word === -1 ? Number(found) : word)
}

/** The programming languages that a text names, in its order. */
function languagesIn(text: string): Language[] {
  const words = text.toLowerCase().match(/[a-z0-9#+-]+/g) ?? []
  const called = (word: string): Language | undefined =>
    languages.find(({ name, words }) => name.toLowerCase() === word || words?.includes(word))
  return [...new Set(words.flatMap((word) => called(word) ?? []))]
}

function programBlock({ fence }: Language, request: string): string {
  const text = beginning(request.replace(/[^\p{L}\p{N} ]+/gu, ' '), 60).replace('…', '')
  return `\`\`\`${fence}\n${programs[fence]?.replace('%s', text)}\n\`\`\``
}
