import type { Json } from '../../io/json.ts'
import type { Source } from './source.ts'

/** Where in a document a value is to stand. */
export interface Place {
  /** The whole schema, which references point into. */
  readonly root: Json
  readonly source: Source
  /** Name of the property the value is for. */
  readonly property: string
  /** Number among the items of an array, so that they differ. */
  readonly at: number
  readonly depth: number
  /** Values that may still be tried, for the whole document. */
  readonly tries: { left: number }
  /** Makes a value for a part, deeper in the document; nothing when none was found that fits. */
  readonly fit: (schema: Json, place: Place) => Json | undefined
}

/** From here on what may end does: no optional properties, no more items than needed. */
const deep = 5

export function isDeep({ depth }: Place): boolean {
  return depth >= deep
}
