/** Programs that print a line, in the programming languages that people ask for, and tables of these languages. */

import { shuffle } from '../hash.ts'
import { beginning, numberIn } from './phrases.ts'
import type { Task } from './task.ts'

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
  { name: 'TypeScript', year: 2012, fence: 'typescript', command: 'npx tsx answer.ts', words: ['ts'] },
  { name: 'JavaScript', year: 1995, fence: 'javascript', command: 'node answer.js', words: ['js', 'node', 'nodejs'] },
  { name: 'Bash', year: 1989, fence: 'bash', command: 'bash answer.sh', words: ['sh', 'shell', 'zsh', 'one-liner'] },
  { name: 'Rust', year: 2012, fence: 'rust', command: 'rustc answer.rs && ./answer' },
  { name: 'Go', year: 2009, fence: 'go', command: 'go run answer.go', words: ['golang'] },
  { name: 'C++', year: 1985, fence: 'cpp', command: 'c++ answer.cpp -o answer && ./answer', words: ['cpp', 'cxx'] },
  { name: 'C', year: 1972, fence: 'c', command: 'cc answer.c -o answer && ./answer' },
  { name: 'Ruby', year: 1995, fence: 'ruby', command: 'ruby answer.rb', words: ['rb'] },
  { name: 'SQL', year: 1974, fence: 'sql', command: 'sqlite3 < answer.sql', words: ['sqlite', 'postgres', 'query'] },
]

/** A program for each fence. %s becomes letters, digits and spaces: nothing in them needs escaping anywhere. */
const programs: Readonly<Record<string, string>> = {
  python: 'def answer() -> str:\n    """Stands in for a real answer."""\n    return "%s"\n\n\nprint(answer())',
  typescript: "// Stands in for a real answer.\nconst answer: string = '%s'\n\nconsole.log(answer)",
  javascript: "// Stands in for a real answer.\nconst answer = '%s'\n\nconsole.log(answer)",
  bash: '#!/usr/bin/env bash\nset -euo pipefail\n\n# Stands in for a real answer.\necho "%s"',
  rust: '// Stands in for a real answer.\nfn main() {\n    println!("{}", "%s");\n}',
  go: 'package main\n\nimport "fmt"\n\n// Stands in for a real answer.\nfunc main() {\n\tfmt.Println("%s")\n}',
  cpp: '#include <iostream>\n\n// Stands in for a real answer.\nint main() {\n    std::cout << "%s\\n";\n}',
  c: '#include <stdio.h>\n\n/* Stands in for a real answer. */\nint main(void) {\n    puts("%s");\n}',
  ruby: '# Stands in for a real answer.\ndef answer = "%s"\n\nputs answer',
  sql: "-- Stands in for a real answer.\nSELECT '%s' AS answer;",
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

const list = new Intl.ListFormat('en-GB')

/** A table of the languages named, or of as many as were asked for; below it a program in the first, if one is wanted. */
export function writeTable({ instruction, request, seed }: Task): string | undefined {
  const named = languagesIn(instruction)
  const compared = named.length > 1 ? named : anyLanguages(instruction, seed)
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

function anyLanguages(instruction: string, seed: number): Language[] {
  const count = /\blanguages\b/i.test(instruction) ? (numberIn(instruction) ?? 0) : 0
  return shuffle(languages, seed).slice(0, count)
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
