import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OrderedWriter, type QueuedText } from '../../src/batch/output/ordered-writer.ts'
import { samples } from '../helpers/samples.ts'

/** A writer, and what it has written. */
function collecting(): { writer: OrderedWriter; written: () => string } {
  let written = ''
  const writer = new OrderedWriter((text) => {
    written += text
    return Promise.resolve()
  })
  return { writer, written: () => written }
}

test('texts are written in the order of their places, each as soon as those before it are there', async () => {
  const anyOrder = fc
    .integer({ min: 1, max: 60 })
    .chain((count) => fc.shuffledSubarray([...Array(count).keys()], { minLength: count, maxLength: count }))
  await fc.assert(
    fc.asyncProperty(anyOrder, async (places) => {
      const { writer, written } = collecting()
      const reserved = places.map(() => writer.reserve())
      const known = new Set<number>()
      for (const place of places) {
        writer.put(reserved[place] as QueuedText, `${place} `)
        known.add(place)
        await writer.flush()
        let ready = ''
        for (let next = 0; known.has(next); next++) ready += `${next} `
        expect(written()).toBe(ready)
      }
    }),
    samples(),
  )
})

test('texts longer than a string can be are written one after the other, and there is room again when they are', async () => {
  const lengths: number[] = []
  const writer = new OrderedWriter((text) => {
    lengths.push(text.length)
    return Promise.resolve()
  })
  // 640 MiB together. Two short ones are written in one piece.
  const long = 'x'.repeat(64 * 1024 * 1024)
  const texts = ['a', 'b', ...Array.from({ length: 10 }, () => long)]
  const places = texts.map((text) => ({ place: writer.reserve(), text }))
  for (const { place, text } of places.toReversed()) {
    writer.put(place, text)
    expect(writer.hasRoom).toBe(false)
  }
  await writer.room()
  await writer.flush()
  expect(lengths).toEqual([2 + long.length, ...Array.from({ length: 9 }, () => long.length)])
})

test('after a failed write, nothing waits for room', async () => {
  const writer = new OrderedWriter(() => Promise.reject(new Error('full')))
  writer.put(writer.reserve(), 'x'.repeat(64 * 1024 * 1024))
  await writer.room()
  await expect(writer.flush()).rejects.toThrow('full')
})
