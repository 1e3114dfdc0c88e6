/** What the benchmark can measure. */

import type { Figure, Setting } from './figures.ts'

export interface Group {
  readonly name: string
  /** The heading of its table. */
  readonly title: string
  /** How many rounds count by default, so that medians of two runs differ by a few percent. */
  readonly rounds: number
  /** Modules are loaded only for what is measured. */
  readonly load: () => Promise<(setting: Setting) => Promise<Figure[]>>
  /** Whether it is measured only if named. */
  readonly onlyIfNamed?: true
}

export const groups: readonly Group[] = [
  { name: 'startup', title: 'Start-up', rounds: 21, load: async () => (await import('./startup.ts')).measureStartup },
  {
    name: 'streams',
    title: '200,000 events to a pipe',
    rounds: 7,
    load: async () => (await import('./streams.ts')).measureStreams,
  },
  {
    name: 'stream-memory',
    title: 'Memory of a long answer',
    rounds: 3,
    load: async () => (await import('./streams.ts')).measureStreamMemory,
  },
  {
    name: 'delays',
    title: "From the service's write to the program's",
    rounds: 15,
    load: async () => (await import('./delays.ts')).measureDelays,
  },
  {
    name: 'markdown',
    title: '200 KB of Markdown',
    rounds: 5,
    load: async () => (await import('./markdown.ts')).measureMarkdown,
  },
  {
    name: 'embeddings',
    title: 'Embeddings of 2,000 lines, 1,024 numbers each',
    rounds: 5,
    load: async () => (await import('./embeddings.ts')).measureEmbeddings,
  },
  {
    name: 'batch',
    title: '20,000 rows, 5 events with text each',
    rounds: 3,
    load: async () => (await import('./batch.ts')).measureBatch,
  },
  {
    name: 'conversations',
    title: 'Stored conversations',
    rounds: 5,
    load: async () => (await import('./conversations.ts')).measureConversations,
  },
  {
    name: 'embedding-memory',
    title: 'Memory for embeddings',
    rounds: 1,
    load: async () => (await import('./embeddings.ts')).measureEmbeddingMemory,
    // Takes half an hour.
    onlyIfNamed: true,
  },
  {
    name: 'batch-memory',
    title: 'Memory for a batch',
    rounds: 1,
    load: async () => (await import('./batch.ts')).measureBatchMemory,
    // Takes ten minutes.
    onlyIfNamed: true,
  },
]
