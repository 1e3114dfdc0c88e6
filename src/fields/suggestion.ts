/** Suggestions for typos. */

/** In characters. The time grows with the product of the lengths, and a service may name a model with millions. */
const longestWord = 500

function comparable(word: string, candidates: Iterable<string>): string[] {
  return word.length > longestWord ? [] : [...candidates].filter((candidate) => candidate.length <= longestWord)
}

/** Returns the candidate that was most likely meant, or `undefined` if none is similar. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  const known = comparable(word, candidates)
  const longer = word.length > 5 ? known.filter((candidate) => candidate.startsWith(word)) : []
  if (longer.length === 1) return longer[0]
  let best: string | undefined
  let bestDistance = Infinity
  for (const candidate of known) {
    // At most one edit per three letters.
    const maximum = Math.floor(Math.max(word.length, candidate.length) / 3)
    const limit = Math.min(bestDistance, maximum + 1)
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), limit)
    if (distance < limit) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Returns at most `count` candidates, most similar first. Their edit distance is less than half of their length. */
export function closestOf(word: string, candidates: readonly string[], count: number): string[] {
  const measured = comparable(word, candidates).map((candidate) => {
    const length = Math.max(word.length, candidate.length)
    return { candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase(), length + 1) / length }
  })
  const near = measured.filter(({ distance }) => distance < 0.5).toSorted((a, b) => a.distance - b.distance)
  return near.slice(0, count).map(({ candidate }) => candidate)
}

/** ` (did you mean medium?)`, or an empty string if no candidate is similar. */
export function suggestion(given: unknown, candidates: Iterable<string>): string {
  const meant = typeof given === 'string' ? closest(given, candidates) : undefined
  return didYouMean(meant)
}

/** ` (did you mean medium?)`, or an empty string if nothing is likely. */
export function didYouMean(meant: string | undefined): string {
  return meant === undefined ? '' : ` (did you mean ${meant}?)`
}

/** Edit distance, where a swap of two adjacent letters is one edit (Damerau-Levenshtein), at most `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const substituted = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const swapped = isSwap ? (beforePrevious[column - 2] ?? 0) + 1 : Infinity
      current.push(Math.min(substituted, swapped, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    beforePrevious = previous
    previous = current
  }
  return Math.min(previous[b.length] ?? limit, limit)
}
