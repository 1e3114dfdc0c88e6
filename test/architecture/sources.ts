import { readFileSync, readdirSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'

/** `lazy`: a dynamic import. `type`: removed at compile time. */
export type Manner = 'static' | 'lazy' | 'type'

export interface Import {
  /** A path below src/ for the project's own files; otherwise the name as written. */
  readonly target: string
  readonly manner: Manner
}

export interface Source {
  /** Below src/, such as `api/client.ts`. */
  readonly path: string
  readonly imports: readonly Import[]
  /** The text without comments. */
  readonly code: string
  readonly comments: readonly string[]
}

const statement = /^(import|export)\s+(type\s+)?(?:[\w$\s,{}*]*?\sfrom\s+)?['"]([^'"]+)['"]/gm
const lazyImport = /\bimport\(\s*['"]([^'"]+)['"]/g
const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm

/** All sources below a folder, except declaration files. */
export function readSources(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.d)\.[cm]?[jt]s$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => parseSource(relative(folder, file).replaceAll(sep, '/'), readFileSync(file, 'utf8')))
}

export function parseSource(path: string, text: string): Source {
  const code = text.replaceAll(comment, '')
  const imports = [
    ...[...code.matchAll(statement)].map(([, , type, name = '']) => importOf(path, name, type ? 'type' : 'static')),
    ...[...code.matchAll(lazyImport)].map(([, name = '']) => importOf(path, name, 'lazy')),
  ]
  return { path, imports, code, comments: text.match(comment) ?? [] }
}

function importOf(path: string, name: string, manner: Manner): Import {
  return { target: name.startsWith('.') ? posix.join(posix.dirname(path), name) : name, manner }
}
