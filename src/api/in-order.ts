/**
 * Works on several items at a time, and yields what comes of them in the items' order. Whoever takes the results slowly
 * slows the work down: no more than `most` results wait to be taken. The first item is worked on alone, so that what is
 * wrong with all of them is told once.
 * @throws what the work on an item throws, after the results of those before it.
 */
export async function* inOrder<Item, Result>(
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
    // A failure is told when its turn comes.
    result.catch(() => undefined)
    underWay.push(result)
  }
  for (const result of underWay) yield await result
}
