import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder } from '../helpers/run-syn.ts'
import { testKey } from '../helpers/service.ts'
import { observe, problemsOf, waits, type Observed } from './cell.ts'
import { faultOf, flagsOf, pairs, type Pair } from './pairs.ts'
import { outcomeFor, type Expected, type Kept } from './table.ts'

/** By fault, so that a few pairs run at the same time. */
const names = [...new Set(pairs.map(({ one }) => one.name))]
const groups = names.map((name) => [name, pairs.filter(({ one }) => one.name === name)] as const)

test.each(groups)('%s', async (_name, group) => {
  const problems = await Promise.all(group.map(tryPair))
  expect(problems.flat()).toEqual([])
})

async function tryPair(pair: Pair): Promise<string[]> {
  const { operation, one, output } = pair
  const expected = outcomeFor(one, operation) as Expected
  const folder = emptyFolder()
  const retries = waits(one) ? 0 : 1
  const argv = [...flagsOf(output, join(folder, 'answer')), '--retries', String(retries)]
  const seen = await observe(operation, faultOf(pair), argv)
  const problems = problemsOf(operation, ...asPrinted(pair, expected, seen, folder), retries)
  return problems.map((problem) => `${output}, ${pair.framing}, ${pair.encoding}, ${pair.interim}: ${problem}`)
}

/** What a run with another kind of output has to look like, in terms of standard output without any. */
function asPrinted(
  { operation, output }: Pair,
  expected: Expected,
  seen: Observed,
  folder: string,
): [Expected, Observed] {
  const { exit, kept = exit === 0 ? 'the answer' : 'nothing' } = expected
  const texts: Record<Kept, string> = {
    nothing: '',
    'the text received': operation.partialOutput,
    'the answer': operation.output,
  }
  switch (output) {
    case 'standard output':
      return [expected, seen]
    case '-o FILE': {
      const name = exit === 0 ? 'answer' : 'answer.partial'
      const isKept = kept !== 'nothing'
      expect({ out: seen.out, files: readdirSync(folder) }).toEqual({ out: '', files: isKept ? [name] : [] })
      const out = existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : ''
      const isPartial = isKept && exit !== 0
      return [
        { ...expected, ...(isPartial && { hint: 'the output so far is kept in' }) },
        { ...seen, out },
      ]
    }
    case '--json': {
      if (kept === 'nothing') return [expected, seen]
      const piece = kept === 'the answer' ? 'Hello' : 'Hel'
      const text = JSON.stringify(JSON.parse(seen.out))
      if (operation.group !== 'replies') expect(text).toContain(piece)
      return [expected, { ...seen, out: texts[kept] }]
    }
    case '--quiet': {
      const { words, ...others } = expected
      return [exit === 0 ? others : { ...others, ...(words !== undefined && { words }) }, seen]
    }
    case '--debug': {
      expect(seen.err).toContain('syn: debug: > ')
      expect(seen.err).not.toContain(testKey)
      const err = seen.err.replaceAll(/^(?!(syn|hint): ).*\n|^syn: debug: .*\n/gm, '')
      return [expected, { ...seen, err }]
    }
  }
}
