/** One item of each source in turn, until all are spent: so several choices stream side by side. */
export function* takeTurns<T>(sources: readonly Iterable<T>[]): Generator<T> {
  let running = sources.map((source) => source[Symbol.iterator]())
  while (running.length > 0) {
    const left: Iterator<T>[] = []
    for (const iterator of running) {
      const { done, value } = iterator.next()
      if (done) continue
      yield value
      left.push(iterator)
    }
    running = left
  }
}
