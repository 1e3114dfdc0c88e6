/** Enough to keep the service busy, and too few to look like a flood. */
const maxConcurrentRequests = 4

/**
 * Works on up to `limit` items at a time, and yields the results in the order of the items. At most `limit` results are
 * buffered, so a slow reader slows the work down. The first item is worked on alone, so that an error that all items
 * share is reported once. A result does not wait for the next item, which may come from a slow pipe.
 * @throws the error of an item, or of reading the next one, after the results of the items before it.
 */
export async function* mapConcurrently<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
  limit = maxConcurrentRequests,
): AsyncGenerator<Result, void, undefined> {
  const reads = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  const read = (): Promise<IteratorResult<Item>> => handled(Promise.resolve(reads.next()))
  const inProgress: Promise<Result>[] = []
  let width = 1
  let next: Promise<IteratorResult<Item>> | undefined = read()
  for (;;) {
    const [oldest] = inProgress
    if (oldest && (!next || inProgress.length >= width || !(await isFirst(next, oldest)))) {
      void inProgress.shift()
      yield await oldest
      width = limit
    } else if (next) {
      const latest: Promise<IteratorResult<Item>> = next
      next = undefined
      try {
        const item = await latest
        if (item.done) continue
        inProgress.push(handled(work(item.value)))
        next = read()
      } catch (error) {
        // The error is thrown in its turn.
        inProgress.push(handled(Promise.reject(error as Error)))
      }
    } else return
  }
}

/** Whether the first promise is settled before the second, or as soon. */
function isFirst(one: Promise<unknown>, other: Promise<unknown>): Promise<boolean> {
  return Promise.race([one.catch(() => undefined).then(() => true), other.catch(() => undefined).then(() => false)])
}

/** Handled here so that Node does not report a rejection; it is thrown when the promise is awaited. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}
