/** Programs that print a line, in the languages people ask for. */

export interface Language {
  readonly name: string
  /** Other words for it. */
  readonly words: readonly string[]
  /** Of its first release. */
  readonly year: number
  /** What stands after the opening fence. */
  readonly fence: string
  /**
   * Lines of the program.
   * @param text Letters, digits and spaces only: nothing in it needs escaping anywhere.
   */
  readonly program: (text: string) => readonly string[]
  /** Shell command that runs the program. */
  readonly command: string
}

export const languages: readonly [Language, ...Language[]] = [
  {
    name: 'Python',
    words: ['py', 'python3'],
    year: 1991,
    fence: 'python',
    program: (text) => [
      'def answer() -> str:',
      '    """Stands in for a real answer."""',
      `    return "${text}"`,
      '',
      '',
      'print(answer())',
    ],
    command: 'python3 answer.py',
  },
  {
    name: 'TypeScript',
    words: ['ts'],
    year: 2012,
    fence: 'typescript',
    program: (text) => [
      'function answer(): string {',
      '  // Stands in for a real answer.',
      `  return '${text}'`,
      '}',
      '',
      'console.log(answer())',
    ],
    command: 'npx tsx answer.ts',
  },
  {
    name: 'JavaScript',
    words: ['js', 'node', 'nodejs'],
    year: 1995,
    fence: 'javascript',
    program: (text) => [
      'function answer() {',
      '  // Stands in for a real answer.',
      `  return '${text}'`,
      '}',
      '',
      'console.log(answer())',
    ],
    command: 'node answer.js',
  },
  {
    name: 'Bash',
    words: ['sh', 'shell', 'zsh', 'one-liner'],
    year: 1989,
    fence: 'bash',
    program: (text) => [
      '#!/usr/bin/env bash',
      'set -euo pipefail',
      '',
      '# Stands in for a real answer.',
      `echo "${text}"`,
    ],
    command: 'bash answer.sh',
  },
  {
    name: 'Rust',
    words: [],
    year: 2012,
    fence: 'rust',
    program: (text) => [
      '/// Stands in for a real answer.',
      "fn answer() -> &'static str {",
      `    "${text}"`,
      '}',
      '',
      'fn main() {',
      '    println!("{}", answer());',
      '}',
    ],
    command: 'rustc answer.rs && ./answer',
  },
  {
    name: 'Go',
    words: ['golang'],
    year: 2009,
    fence: 'go',
    program: (text) => [
      'package main',
      '',
      'import "fmt"',
      '',
      '// answer stands in for a real one.',
      'func answer() string {',
      `\treturn "${text}"`,
      '}',
      '',
      'func main() {',
      '\tfmt.Println(answer())',
      '}',
    ],
    command: 'go run answer.go',
  },
  {
    name: 'Java',
    words: [],
    year: 1995,
    fence: 'java',
    program: (text) => [
      'public class Answer {',
      '    // Stands in for a real answer.',
      '    public static void main(String[] args) {',
      `        System.out.println("${text}");`,
      '    }',
      '}',
    ],
    command: 'java Answer.java',
  },
  {
    name: 'C++',
    words: ['cpp', 'cxx'],
    year: 1985,
    fence: 'cpp',
    program: (text) => [
      '#include <iostream>',
      '',
      '// Stands in for a real answer.',
      'int main() {',
      `    std::cout << "${text}\\n";`,
      '}',
    ],
    command: 'c++ answer.cpp -o answer && ./answer',
  },
  {
    name: 'C',
    words: [],
    year: 1972,
    fence: 'c',
    program: (text) => [
      '#include <stdio.h>',
      '',
      '/* Stands in for a real answer. */',
      'int main(void) {',
      `    puts("${text}");`,
      '    return 0;',
      '}',
    ],
    command: 'cc answer.c -o answer && ./answer',
  },
  {
    name: 'Ruby',
    words: ['rb'],
    year: 1995,
    fence: 'ruby',
    program: (text) => ['# Stands in for a real answer.', `def answer = "${text}"`, '', 'puts answer'],
    command: 'ruby answer.rb',
  },
  {
    name: 'SQL',
    words: ['sqlite', 'postgres', 'query'],
    year: 1974,
    fence: 'sql',
    program: (text) => ['-- Stands in for a real answer.', `SELECT '${text}' AS answer;`],
    command: 'sqlite3 < answer.sql',
  },
  {
    name: 'HTML',
    words: [],
    year: 1993,
    fence: 'html',
    program: (text) => [
      '<!doctype html>',
      '<title>Answer</title>',
      '<!-- Stands in for a real answer. -->',
      `<p>${text}</p>`,
    ],
    command: 'open answer.html',
  },
  {
    name: 'JSON',
    words: [],
    year: 2001,
    fence: 'json',
    program: (text) => ['{', '  "standIn": true,', `  "answer": "${text}"`, '}'],
    command: 'jq . answer.json',
  },
  {
    name: 'YAML',
    words: ['yml'],
    year: 2001,
    fence: 'yaml',
    program: (text) => ['# Stands in for a real answer.', `answer: "${text}"`],
    command: 'yq . answer.yaml',
  },
]
