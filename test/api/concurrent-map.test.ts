import { setImmediate as settled } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mapConcurrently } from '../../src/api/concurrent-map.ts'
import { samples } from '../helpers/samples.ts'

/** Jobs that end when the test says so. */
class Bench {
  readonly begun: number[] = []
  readonly #endings = new Map<number, { done: (text: string) => void; failed: (error: Error) => void }>()

  readonly work = (item: number): Promise<string> => {
    this.begun.push(item)
    return new Promise((done, failed) => this.#endings.set(item, { done, failed }))
  }

  finish(...items: number[]): void {
    for (const item of items) this.#endings.get(item)?.done(`done ${item}`)
  }

  fail(item: number): void {
    this.#endings.get(item)?.failed(new Error(`failed ${item}`))
  }
}

test('the first item is worked on alone, then several at a time, up to the limit of buffered results', async () => {
  const bench = new Bench()
  const results = mapConcurrently([0, 1, 2, 3, 4, 5], bench.work, 3)
  const first = results.next()
  await settled()
  expect(bench.begun).toEqual([0])
  bench.finish(0)
  expect((await first).value).toBe('done 0')
  const second = results.next()
  await settled()
  expect(bench.begun).toEqual([0, 1, 2, 3])
  bench.finish(3, 2, 1)
  expect((await second).value).toBe('done 1')
  await settled()
  // The other results have not been read yet.
  expect(bench.begun).toEqual([0, 1, 2, 3])
  expect((await results.next()).value).toBe('done 2')
  expect(bench.begun).toEqual([0, 1, 2, 3, 4])
  expect((await results.next()).value).toBe('done 3')
  expect(bench.begun).toEqual([0, 1, 2, 3, 4, 5])
})

test('every item comes once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat()), fc.integer({ min: 1, max: 9 }), async (items, most) => {
      const taken: number[] = []
      for await (const item of mapConcurrently(items, (item) => Promise.resolve(item), most)) taken.push(item)
      expect(taken).toEqual(items)
    }),
    samples(),
  )
})

test('a result does not wait for the next item, and an item that cannot be read fails after the results before it', async () => {
  const bench = new Bench()
  let fail: (error: Error) => void = () => undefined
  async function* items(): AsyncGenerator<number> {
    yield 0
    yield 1
    await new Promise((_resolve, reject) => (fail = reject))
  }
  const results = mapConcurrently(items(), bench.work)
  const first = results.next()
  await settled()
  bench.finish(0)
  expect((await first).value).toBe('done 0')
  const second = results.next()
  await settled()
  fail(new Error('unreadable'))
  await settled()
  bench.finish(1)
  expect((await second).value).toBe('done 1')
  await expect(results.next()).rejects.toThrow('unreadable')
})
