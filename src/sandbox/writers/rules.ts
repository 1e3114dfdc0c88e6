/** Which writer answers what. The first rule whose pattern is found in the instruction wins. */

import { writeArithmetic } from './arithmetic.ts'
import { writeCode } from './code.ts'
import { writeComparison } from './comparison.ts'
import { writeCount } from './count.ts'
import { writeHello } from './hello.ts'
import { writeList } from './list.ts'
import { writeOutline } from './outline.ts'
import { writePoem } from './poem.ts'
import { writeRecall } from './recall.ts'
import { writeStatistics } from './statistics.ts'
import { writeSummary } from './summary.ts'
import type { Task } from './task.ts'

export interface Rule {
  readonly pattern: RegExp
  /** Nothing, when on a closer look the rule doesn't fit. */
  readonly write: (task: Task, found: RegExpExecArray) => string | undefined
}

export const rules: readonly Rule[] = [
  { pattern: /^[\s\d.,+\-*/^()×÷]+[=?]*\s*$|^(?:what(?:'s|’s| is)|calculate|compute)\b(.*)$/i, write: writeArithmetic },
  { pattern: /\bcount\b(?: from (\d+))?(?: up)?(?: from (\d+))? to (\d+)\b/i, write: writeCount },
  {
    pattern: /\b(?:what|which)\b.*\b(?:i|my)\b.*\b(?:ask|asked|say|said|tell|told|first|last|previous|before)\b/i,
    write: writeRecall,
  },
  { pattern: /\b(?:tl;?dr|summar(?:y|i[sz]e[sd]?)|sum up)\b/i, write: writeSummary },
  { pattern: /\b(?:hello|hi|hey|greet(?:ing)?s?|good (?:morning|day|evening))\b/i, write: writeHello },
  { pattern: /\b(?:haiku|poem|verse|limerick|rhyme)\b/i, write: writePoem },
  { pattern: /\b(?:compare|comparison|difference|table|versus|vs)\b/i, write: writeComparison },
  {
    pattern: /\b(?:code|function|program|script|snippet|one-liner|class|regex|query|implement)\b|\bin ([\w#+]+)\.?$/i,
    write: writeCode,
  },
  { pattern: /\b(?:table|statistics|how (?:many|long)|count)\b/i, write: writeStatistics },
  { pattern: /\b(?:list|name|give(?: me)?|suggest|top)\b[^.?!]*?\b(\d+|[a-z]+)\b/i, write: writeList },
  { pattern: /\b(?:explain|describe|how|why|what|compare|difference)\b/i, write: writeOutline },
]
