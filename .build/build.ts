/** Bundles src/ and its packages into dist/, with chunks that are loaded on demand. */

import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown, type OutputChunk, type Plugin } from 'rolldown'
import { manText } from './man-text.ts'
import { hashFile, sourcesHash } from './sources.ts'
import { thirdPartyNotice } from './third-party.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

/**
 * What no run needs, and what costs each one: undici's HTTP/2 client, which loads Node's; its fetch; the copy of its parser
 * for processors without SIMD, such as those from before SSE 4.1; and Node's child processes, with which commander could run
 * programs as commands.
 */
const unused = /\/undici\/lib\/(dispatcher\/client-h2|web\/.+|llhttp\/llhttp-wasm)\.js$/
const unusedByCommander = 'node:child_process'

const leaveOut: Plugin = {
  name: 'leave-out',
  resolveId: (id, importer) => (id === unusedByCommander && importer?.includes('/commander/') ? `/empty/${id}` : null),
  load: (id) => (unused.test(id) || id.startsWith('/empty/') ? 'module.exports = {}' : null),
  // fdir would load a picomatch that is installed beside syn, for a function that no run calls.
  transform: (code, id) =>
    id.includes('/fdir/') ? { code: code.replace('createRequire(import.meta.url)', 'undefined'), map: null } : null,
}

/** What most commands need besides their tables, and what both the client and those need that ask a model. */
const program = [
  'api/(likely-urls|retry-policy)',
  'cli/commander-parser',
  'context',
  'io/files/output',
  'preview',
  'quota/record',
  'stream/(answer|delta|finish-reason|reply-budget|reported-error|spellings)',
  'terminal/spinner',
]

/** What those need that ask a model. */
const asking = [
  'answer/(ask|response-format|load-tools)',
  'api/dialects',
  'conversation/session',
  'fields/request-variants',
  'input/prompt',
]

/** What the tables of commands are made of. */
const tables = [
  'api/(operations|api-option|(.+/)?fields)',
  'batch/input/format',
  'command',
  'completion/shells',
  'fields/(notations|request-options|sampling)',
  'quota/options',
]

/** Each is one file with all that it imports, as to open a file takes longer than to read it; but help loads only the tables. */
const groups = [
  { name: 'tables', test: modules(tables), priority: 3, includeDependenciesRecursively: false },
  { name: 'main', test: modules(['main']), priority: 2 },
  { name: 'program', test: modules(program), priority: 1 },
  { name: 'client', test: modules(['api/client']), priority: 0 },
  { name: 'asking', test: modules(asking), priority: 0 },
  // The tables of formulas take 6 ms.
  { name: 'formula', test: modules(['terminal/markdown/formula']), priority: 0 },
]

function modules(paths: readonly string[]): RegExp {
  return new RegExp(`/src/(${paths.join('|')})\\.ts$`)
}

// Before a source is read: one that changes meanwhile is built again.
const hash = sourcesHash()
const bundle = await rolldown({
  cwd: root,
  input: 'src/main.ts',
  platform: 'node',
  // Other chunks import from it, too.
  preserveEntrySignatures: 'allow-extension',
  transform: { target: 'node20.18' },
  plugins: [leaveOut],
  // A chunk of which only a constant is used, which is copied, need not be loaded.
  treeshake: { moduleSideEffects: [{ test: /\/src\/(?!main\.ts$)/, sideEffects: false }] },
  // A package that is missing would be required when it is used.
  onLog: (level, log, handle) => (level === 'warn' ? handle('error', log) : undefined),
  // A module in the chunk of all requests may also be loaded on demand, by what makes none.
  checks: { ineffectiveDynamicImport: false },
})
const { output } = await bundle.generate({
  // Node loads CommonJS in less time than ES modules.
  format: 'cjs',
  dynamicImportInCjs: false,
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
  // For the tests. The bundle does not refer to them, as they are not published.
  sourcemap: 'hidden',
  comments: false,
  codeSplitting: { groups },
})
const chunks = output.filter((file): file is OutputChunk => file.type === 'chunk')
const inputs = chunks.flatMap(({ moduleIds }) => moduleIds).map((path) => relative(root, path))
const files = new Map([
  ...output.map((file): [string, string | Uint8Array] => [
    file.fileName,
    file.type === 'chunk' ? escapeOthers(loadsOnUse(file) ? loadLazily(file.code) : file.code) : file.source,
  ]),
  ['THIRD-PARTY.txt', thirdPartyNotice(root, inputs)],
  ...manTexts(),
  // Last, so that a build that is stopped counts as none.
  [hashFile, hash],
])
for (const [file, content] of files) {
  mkdirSync(dirname(join(dist, file)), { recursive: true })
  writeFileSync(join(dist, file), content)
}
removeStale()

/** What `syn man` prints without man(1): made by the build, so that the program needs no renderer. */
function manTexts(): [file: string, text: string][] {
  const pages = readdirSync(join(root, 'man')).filter((name) => name.endsWith('.1'))
  return pages.map((name) => {
    const source = readFileSync(join(root, 'man', name), 'utf8')
    return [`man/${name.replace(/1$/, 'txt')}`, manText(source)]
  })
}

function loadsOnUse({ name, facadeModuleId }: OutputChunk): boolean {
  return name === 'tables' || name === 'renderer' || /\/src\/commands\//.test(facadeModuleId ?? '')
}

/** Loads another chunk when it is first used: help needs the tables of a command, not what it runs; few answers have formulas. */
function loadLazily(code: string): string {
  const imports = /^const (require_(?!rolldown_runtime)\w+) = (require\("[^"]+"\));\n/gm
  const found = [...code.matchAll(imports)]
  if (found.length === 0) return code
  const getters = found.map(
    ([, name, load]) => `get ${name}() { return Object.defineProperty(this, "${name}", { value: ${load} }).${name} }`,
  )
  const uses = new RegExp(`\\b(?:${found.map(([, name]) => name).join('|')})\\b`, 'g')
  // The source map needs as many lines.
  return `const loaded_chunks = {${getters.join(',\n')}};\n${code.replaceAll(imports, '').replaceAll(uses, 'loaded_chunks.$&')}`
}

/** Escapes what is not ASCII: V8 reads such a file faster, and keeps it in half of the memory. */
function escapeOthers(code: string): string {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Removes only what this build did not write, so that dist/ is complete at all times. */
function removeStale(): void {
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && !files.has(relative(dist, path))) rmSync(path)
  }
}
