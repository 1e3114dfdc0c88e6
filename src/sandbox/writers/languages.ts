/** Programs that print a line, in the languages people ask for. */

export interface Language {
  readonly name: string
  /** Other words for it. */
  readonly words: readonly string[]
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
    fence: 'ruby',
    program: (text) => ['# Stands in for a real answer.', `def answer = "${text}"`, '', 'puts answer'],
    command: 'ruby answer.rb',
  },
  {
    name: 'SQL',
    words: ['sqlite', 'postgres', 'query'],
    fence: 'sql',
    program: (text) => ['-- Stands in for a real answer.', `SELECT '${text}' AS answer;`],
    command: 'sqlite3 < answer.sql',
  },
  {
    name: 'HTML',
    words: [],
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
    fence: 'json',
    program: (text) => ['{', '  "standIn": true,', `  "answer": "${text}"`, '}'],
    command: 'jq . answer.json',
  },
  {
    name: 'YAML',
    words: ['yml'],
    fence: 'yaml',
    program: (text) => ['# Stands in for a real answer.', `answer: "${text}"`],
    command: 'yq . answer.yaml',
  },
]
