/** Enough to keep the service busy, and too few to look like a flood. */
export const maxConcurrentRequests = 4

/**
 * Works on up to `limit` items at a time, and yields the results in the order of the items. At most `limit` results are
 * buffered, so a slow reader slows the work down. The first item is worked on alone, so that an error that all items
 * share is reported once.
 * @throws the error of an item, after the results of the items before it.
 */
export async function* mapInOrder<Item, Result>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const inProgress: Promise<Result>[] = []
  let width = 1
  for (const item of items) {
    const oldest = inProgress.length < width ? undefined : inProgress.shift()
    if (oldest) {
      yield await oldest
      width = limit
    }
    const result = work(item)
    // Handled here so that Node does not report it as unhandled; thrown when it is awaited.
    result.catch(() => undefined)
    inProgress.push(result)
  }
  for (const result of inProgress) yield await result
}
