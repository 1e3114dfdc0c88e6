import type { Task } from './task.ts'

const longestCount = 100_000

/** Numbers, one a line: long ones make a good test of a stream. */
export function writeCount(_task: Task, [, early, late, end]: RegExpExecArray): string | undefined {
  const first = Number(early ?? late ?? 1)
  const last = Number(end)
  if (Math.abs(last - first) > longestCount) return undefined
  const step = last < first ? -1 : 1
  return Array.from({ length: Math.abs(last - first) + 1 }, (_, at) => `${first + at * step}  `)
    .join('\n')
    .trimEnd()
}
