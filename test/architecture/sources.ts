import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

/** `lazy` is loaded when it is needed; `type` is gone when the program runs. */
export type Manner = 'static' | 'lazy' | 'type'

export interface Import {
  /** A path below src/ for the project's own files; else the name as written. */
  readonly target: string
  readonly manner: Manner
}

export interface Source {
  /** Below src/, such as `api/client.ts`. */
  readonly path: string
  readonly imports: readonly Import[]
  readonly lines: number
  /** Code without its comments. */
  readonly code: string
}

const statement = /^(import|export)\s+(type\s+)?(?:[\w$\s,{}*]*?\sfrom\s+)?['"]([^'"]+)['"]/gm
const lazyImport = /\bimport\(\s*['"]([^'"]+)['"]/g
const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm

/** All sources below a folder, declarations of foreign modules left out. */
export function readSources(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.d)\.[jt]s$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => parseSource(relative(folder, file), readFileSync(file, 'utf8')))
}

export function parseSource(path: string, text: string): Source {
  const code = text.replaceAll(comment, '')
  const imports = [
    ...[...code.matchAll(statement)].map(([, , type, name = '']) => importOf(path, name, type ? 'type' : 'static')),
    ...[...code.matchAll(lazyImport)].map(([, name = '']) => importOf(path, name, 'lazy')),
  ]
  return { path, imports, lines: text.split('\n').length - 1, code }
}

function importOf(path: string, name: string, manner: Manner): Import {
  return { target: name.startsWith('.') ? normalize(join(dirname(path), name)) : name, manner }
}
