/** Which word a typo most likely meant. */

/** The candidate a person most likely meant, or nothing when none is near. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const begun = word.length > 5 ? [...candidates].filter((candidate) => candidate.startsWith(word)) : []
  if (begun.length === 1) return begun[0]
  let best: string | undefined
  let bestDistance = Infinity
  for (const candidate of candidates) {
    // A typo leaves most of a word as it was: one in three letters, so one in a word of three, and none in a shorter one.
    const most = Math.floor(Math.max(word.length, candidate.length) / 3)
    const limit = Math.min(bestDistance, most + 1)
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), limit)
    if (distance < limit) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** The candidates most like a word, the most alike first; those that have less than half in common with it are left out. */
export function nearestOf(word: string, candidates: readonly string[], most: number): string[] {
  const measured = candidates.map((candidate) => {
    const length = Math.max(word.length, candidate.length)
    return { candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase(), length + 1) / length }
  })
  const near = measured.filter(({ distance }) => distance < 0.5).toSorted((a, b) => a.distance - b.distance)
  return near.slice(0, most).map(({ candidate }) => candidate)
}

/** ` (did you mean medium?)`, or nothing when no candidate is near. */
export function suggestion(given: unknown, candidates: Iterable<string>): string {
  const meant = typeof given === 'string' ? nearest(given, candidates) : undefined
  return meant === undefined ? '' : ` (did you mean ${meant}?)`
}

/** Edits that turn one word into the other, two letters swapped being one edit; given up at `limit`. */
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
