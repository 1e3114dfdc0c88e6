/** What the benchmark can measure. */

import { measureBatch, measureBatchMemory } from './batch.ts'
import { measureConversations } from './conversations.ts'
import { measureDelays } from './delays.ts'
import { measureEmbeddingMemory, measureEmbeddings } from './embeddings.ts'
import type { Figure, Setting } from './figures.ts'
import { measureMarkdown } from './markdown.ts'
import { measureSingleFile, measureStartup } from './startup.ts'
import { measureStreamMemory, measureStreams } from './streams.ts'

export interface Group {
  readonly name: string
  /** The heading of its table. */
  readonly title: string
  /** How many rounds count by default, so that medians of two runs differ by a few percent. */
  readonly rounds: number
  readonly measure: (setting: Setting) => Promise<Figure[]>
  /** Whether it is measured only if named. */
  readonly onlyIfNamed?: true
}

export const groups: readonly Group[] = [
  { name: 'startup', title: 'Start-up', rounds: 21, measure: measureStartup },
  { name: 'streams', title: '200,000 events to a pipe', rounds: 7, measure: measureStreams },
  { name: 'stream-memory', title: 'Memory of a long answer', rounds: 3, measure: measureStreamMemory },
  { name: 'delays', title: "From the service's write to the program's", rounds: 15, measure: measureDelays },
  { name: 'markdown', title: '200 KB of Markdown', rounds: 5, measure: measureMarkdown },
  { name: 'embeddings', title: 'Embeddings of 2,000 lines, 1,024 numbers each', rounds: 5, measure: measureEmbeddings },
  { name: 'batch', title: '20,000 rows, 5 events with text each', rounds: 3, measure: measureBatch },
  { name: 'conversations', title: 'Stored conversations', rounds: 5, measure: measureConversations },
  // Takes half an hour.
  {
    name: 'embedding-memory',
    title: 'Memory for embeddings',
    rounds: 1,
    measure: measureEmbeddingMemory,
    onlyIfNamed: true,
  },
  // Takes ten minutes.
  { name: 'batch-memory', title: 'Memory for a batch', rounds: 1, measure: measureBatchMemory, onlyIfNamed: true },
  // Needs `npm run binary`.
  {
    name: 'single-file',
    title: 'Start-up of the single file',
    rounds: 21,
    measure: measureSingleFile,
    onlyIfNamed: true,
  },
]
