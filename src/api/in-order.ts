/** Requests under way at a time: enough to keep the service busy, and too few to look like a flood. */
export const maxConcurrentRequests = 4

/**
 * Works on several items at a time, and yields the results in the order of the items. A slow reader slows the work down:
 * at most `most` results wait to be taken. The first item is worked on alone, so that a mistake that all of them share
 * is reported once.
 * @throws what the work on an item throws, after the results of those before it.
 */
export async function* mapInOrder<Item, Result>(
  items: Iterable<Item>,
  most: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const underWay: Promise<Result>[] = []
  let width = 1
  for (const item of items) {
    const oldest = underWay.length < width ? undefined : underWay.shift()
    if (oldest) {
      yield await oldest
      width = most
    }
    const result = work(item)
    // A failure is thrown when its turn comes.
    result.catch(() => undefined)
    underWay.push(result)
  }
  for (const result of underWay) yield await result
}
