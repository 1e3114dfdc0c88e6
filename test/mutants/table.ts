/** The mutants, by what they change. */

import type { Mutant } from './mutant.ts'
import { batch } from './table/batch.ts'
import { files } from './table/files.ts'
import { input } from './table/input.ts'
import { key } from './table/key.ts'
import { replies } from './table/replies.ts'
import { results } from './table/results.ts'
import { screen } from './table/screen.ts'
import { tools } from './table/tools.ts'

export const mutants: readonly Mutant[] = [
  ...key,
  ...replies,
  ...input,
  ...files,
  ...batch,
  ...results,
  ...screen,
  ...tools,
]
