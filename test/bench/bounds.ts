/**
 * How fast and small syn has to be. Each bound is what syn reaches on two cores of a busy machine, with Node 20 and 24, and a
 * little more; where one number is given, it is for every version of Node. Ratios are of CPU time: to `node -e 0` for
 * start-up, else to the program that the figure names as its base. They depend on the processor, too: the bounds of requests
 * and streams are those of an AMD EPYC, where the same build has 4.7, 1.9, 2.0 and 1.9, on an Intel Xeon 4.2, 1.7, 1.7
 * and 1.7.
 */

import type { Figure } from './figures.ts'

export interface Bound {
  readonly id: Figure['id']
  readonly of: 'ratio' | 'growth' | 'peak' | 'extra'
  /** The most that is allowed, by major version of Node or for all. */
  readonly most: number | Readonly<Record<number, number>>
}

/**
 * NODE_EXTRA_CA_CERTS makes bare Node 20 start three times slower, as it reads the certificates each time. The benchmark
 * runs without it. With it, the bounds of Node 20 are 1.25 for help, 1.35 for that of a command, 1.5 for a Tab, 1.95 for a request
 * and 4 for the list of conversations, and those of streams 1.6, 1.6 and 1.7. Newer versions of Node read the certificates only when they are needed.
 */
const oneRequest = { 20: 4.7, 24: 2.9 }

export const bounds: readonly Bound[] = [
  { id: 'startup/version', of: 'ratio', most: 1.05 },
  { id: 'startup/help', of: 'ratio', most: { 20: 1.7 } },
  // With the tables of the command.
  { id: 'startup/chat-help', of: 'ratio', most: { 20: 1.95 } },
  // A Tab in the shell.
  { id: 'startup/completion', of: 'ratio', most: { 20: 2.4 } },
  ...['request', 'embed', 'quota'].map((name): Bound => ({ id: `startup/${name}`, of: 'ratio', most: oneRequest })),

  // The file holds code that V8 has compiled: without it, completion and requests have 1.1.
  ...['version', 'help', 'chat-help'].map((name): Bound => ({ id: `single-file/${name}`, of: 'ratio', most: 1 })),
  { id: 'single-file/completion', of: 'ratio', most: 0.92 },
  ...['request', 'embed', 'quota'].map((name): Bound => ({ id: `single-file/${name}`, of: 'ratio', most: 0.85 })),

  { id: 'streams/chat', of: 'ratio', most: 1.9 },
  { id: 'streams/messages', of: 'ratio', most: 2.0 },
  { id: 'streams/complete', of: 'ratio', most: 1.9 },
  { id: 'stream-memory/long', of: 'growth', most: 1.15 },
  { id: 'delays/first', of: 'extra', most: 3 },
  { id: 'delays/later', of: 'extra', most: 0.3 },
  { id: 'markdown/terminal', of: 'ratio', most: 3 },
  { id: 'embeddings/jsonl', of: 'ratio', most: 1.4 },
  { id: 'conversations/list', of: 'ratio', most: { 20: 10 } },
  // 0.3 ms a row more than the bare client, whose row takes 0.2 ms.
  { id: 'batch/syn', of: 'ratio', most: 2.5 },
  { id: 'batch-memory/syn', of: 'growth', most: 1.15 },
  { id: 'batch-memory/syn', of: 'peak', most: 200 },
  ...['jsonl', 'csv'].flatMap((format) =>
    [64, 1024].flatMap((dimensions): Bound[] => [
      { id: `embedding-memory/${format}-${dimensions}`, of: 'growth', most: 1.15 },
      { id: `embedding-memory/${format}-${dimensions}`, of: 'peak', most: 200 },
    ]),
  ),
]

/** A gate allows for what medians of the same program differ by on a busy machine, measured as up to 15%. */
export const room = 1.2

export function boundsOf(id: Figure['id']): Bound[] {
  return bounds.filter((bound) => bound.id === id)
}

/** @returns the bound for a version of Node; `undefined` if it has none. */
export function limitFor({ most }: Bound, nodeMajor: number): number | undefined {
  return typeof most === 'number' ? most : most[nodeMajor]
}

/** @returns what is over its bound, one line each. */
export function overBounds(figures: readonly Figure[], nodeMajor: number): string[] {
  return figures.flatMap((figure) =>
    boundsOf(figure.id).flatMap((bound) => {
      const [limit, value] = [limitFor(bound, nodeMajor), figure[bound.of]]
      if (limit === undefined || value === undefined || value <= limit * room) return []
      return [`${figure.id} (${figure.label}): ${bound.of} ${value.toFixed(2)}, more than ${limit} and ${roomShown}`]
    }),
  )
}

const roomShown = `${Math.round((room - 1) * 100)}%`
