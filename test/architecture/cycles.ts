import type { Source } from './sources.ts'

/**
 * The first cycle of imports, types included: a type that two files need of each other lives in the wrong one.
 * @returns paths from a file back to itself, or nothing.
 */
export function cycleThrough(sources: readonly Source[]): readonly string[] | undefined {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const done = new Set<string>()

  function visit(path: string, trail: readonly string[]): readonly string[] | undefined {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (done.has(path)) return undefined
    for (const { target } of byPath.get(path)?.imports ?? []) {
      const cycle = visit(target, [...trail, path])
      if (cycle) return cycle
    }
    done.add(path)
    return undefined
  }

  for (const { path } of sources) {
    const cycle = visit(path, [])
    if (cycle) return cycle
  }
  return undefined
}
