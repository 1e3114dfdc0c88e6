import { expect, test } from 'vitest'
import { readWhole } from '../../src/stream/body-sniffing.ts'
import { ReplyBudget } from '../../src/stream/reply-budget.ts'

async function* repeat(bytes: Uint8Array, count: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < count; at++) yield bytes
}

test('reads are joined before they become text', async () => {
  const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)]
  const reads = (async function* (): AsyncGenerator<Uint8Array> {
    yield* [Buffer.from('\ufeffa'), first, second]
  })()
  expect(await readWhole(reads, new ReplyBudget())).toBe('aé')
})

test('a reply of over 64 MiB is refused', async () => {
  const endless = repeat(new Uint8Array(1024 * 1024), Infinity)
  await expect(readWhole(endless, new ReplyBudget())).rejects.toThrow('larger than the limit of 64 MiB')
})
