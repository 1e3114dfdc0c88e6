import fc from 'fast-check'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { anyCharacter } from '../helpers/any-character.ts'
import { runBatch } from '../helpers/batch-run.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { samples } from '../helpers/samples.ts'

// Few different ones, so that many are equal.
const line = fc.oneof(fc.constantFrom('a', 'b', 'c', 'd'), fc.string({ unit: anyCharacter, maxLength: 5 }))
const lines = fc.array(line, { minLength: 1, maxLength: 20 })

/** A run that is killed: how its input differs, which results come first, how many there are, and how much is torn off. */
const killedRun = fc.record({
  keys: fc.array(fc.nat(100), { minLength: 30, maxLength: 30 }),
  inserted: fc.array(line, { maxLength: 3 }),
  reversed: fc.boolean(),
  killAfter: fc.nat(20),
  torn: fc.oneof(fc.constant(0), fc.nat(600)),
  failing: fc.constantFrom(new Set<string>(), new Set(['a', 'c'])),
})

const folder = emptyFolder()

test('killed at any moment, with the end of the journal torn off at any byte, and the input edited', async () => {
  let number = 0
  await fc.assert(
    fc.asyncProperty(lines, fc.array(killedRun, { maxLength: 4 }), async (input, runs) => {
      const place = join(folder, String(number++))
      mkdirSync(place)
      const path = join(place, 'out.jsonl')
      for (const { keys, inserted, reversed, killAfter, torn, failing } of runs) {
        const edited = [...(reversed ? [...input].reverse() : input), ...inserted]
        await runBatch(path, edited, { order: (at) => keys[at] ?? 0, killAfter, failing })
        tear(`${path}.partial`, torn)
      }
      const recorded = existsSync(`${path}.partial`) ? succeeded(readFileSync(`${path}.partial`, 'utf8')) : []
      const { sent } = await runBatch(path, input)
      // What was recorded is not sent again, and nothing else is left out.
      expect([...sent].sort()).toEqual(difference(input, recorded).sort())
      const whole = join(place, 'whole.jsonl')
      await runBatch(whole, input)
      expect(readFileSync(path, 'utf8')).toBe(readFileSync(whole, 'utf8'))
      expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(input.length + 1)
      // It is kept for results of other rows.
      expect(existsSync(`${path}.partial`)).toBe(difference(recorded, input).length > 0)
      rmSync(place, { recursive: true })
    }),
    samples(30),
  )
})

/** The manifest stays. */
function tear(path: string, torn: number): void {
  const manifestEnd = readFileSync(path).indexOf('\n') + 1
  truncateSync(path, Math.max(manifestEnd, statSync(path).size - torn))
}

/** The lines with an answer, of whole lines of the journal. */
function succeeded(journal: string): string[] {
  return journal
    .split('\n')
    .slice(0, -1)
    .flatMap((text) => {
      const { result } = JSON.parse(text) as {
        result?: { response: { body: { choices: [{ message: { content: string } }] } } }
      }
      return result?.response ? [result.response.body.choices[0].message.content.slice('answer to '.length)] : []
    })
}

/** The items of a list without those of another, each counted. */
function difference(items: readonly string[], removed: readonly string[]): string[] {
  const rest = [...removed]
  return items.filter((item) => {
    const at = rest.indexOf(item)
    if (at !== -1) rest.splice(at, 1)
    return at === -1
  })
}
