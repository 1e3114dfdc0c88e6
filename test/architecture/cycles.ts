import type { Source } from './sources.ts'

/**
 * Finds an import cycle, including imports of types: a cycle of types means that a type is in the wrong file.
 * @returns the paths from a file back to itself, or `undefined`.
 */
export function findCycle(sources: readonly Source[]): readonly string[] | undefined {
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
