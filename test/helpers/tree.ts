import { readdirSync } from 'node:fs'
import { sep } from 'node:path'

export interface Entry {
  /** Bytes, as a name need not be UTF-8. */
  readonly path: Buffer
  readonly name: string
  readonly kind: 'file' | 'folder' | 'other'
}

/** Everything below a folder. A folder comes before what is in it, and is read after that. */
export function* entriesBelow(folder: Buffer): Generator<Entry> {
  for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
    const path = Buffer.concat([folder, Buffer.from(sep), entry.name])
    const kind = entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other'
    yield { path, name: entry.name.toString(), kind }
    if (kind === 'folder') yield* entriesBelow(path)
  }
}
