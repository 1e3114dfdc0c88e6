import { wordsOf } from './phrases.ts'
import type { Task } from './task.ts'

/** A table of what can be counted. */
export function writeStatistics({ material }: Task): string {
  return ['## What I counted', '', countTable(material), '', ...frequentWords(material)].join('\n').trimEnd()
}

export function countTable(text: string): string {
  const rows = [
    ['Lines', text === '' ? 0 : text.split('\n').length],
    ['Words', wordsOf(text).length],
    ['Characters', [...text].length],
  ]
  return ['| What | Count |', '| :--- | ---: |', ...rows.map(([what, count]) => `| ${what} | ${count} |`)].join('\n')
}

function frequentWords(text: string): string[] {
  const counts = new Map<string, number>()
  for (const word of wordsOf(text.toLowerCase())) if (word.length > 3) counts.set(word, (counts.get(word) ?? 0) + 1)
  const repeated = [...counts].filter(([, count]) => count > 1).toSorted(([, a], [, b]) => b - a)
  if (repeated.length === 0) return []
  return ['Most frequent:', '', ...repeated.slice(0, 5).map(([word, count]) => `- **${word}**, ${count} times`)]
}
