/**
 * Checks a release and packs its files into release/: the npm package, an archive for packagers, their checksums, and the notes.
 * This script needs no account and publishes nothing: .github/workflows/release.yml does. Needs dist/.
 *
 * Usage: release.ts [--dry-run]
 *
 * Without --dry-run it fails if the tag, the date in CHANGELOG.md, the repository in package.json or the command in README.md
 * is missing; with --dry-run it lists what is missing.
 */

import { hash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { manPages } from '../man/pages.ts'
import { pack } from './npm.ts'
import { runProgram, runScript, ScriptError } from './script.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const release = join(root, 'release')

interface Manifest {
  readonly version: string
  readonly repository?: unknown
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const { version, repository } = JSON.parse(read('package.json')) as Manifest

/** A folder with an empty home and the installed package. */
let scratch = ''
await runScript('release', (folder) => {
  scratch = folder
  // npm takes --dry-run for itself if no -- comes before it, and would pack nothing.
  const isFlagOfNpm = process.env.npm_config_dry_run === 'true'
  delete process.env.npm_config_dry_run
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: isFlagOfNpm } } })
  return main(values['dry-run'])
})

async function main(isDry: boolean): Promise<void> {
  checkTree()
  const lacking = checkVersion()
  if (!isDry && lacking[0] !== undefined) throw new ScriptError(lacking[0])
  await checkPages()
  say(`version ${version}: changelog, lock file and man pages agree`)

  mkdirSync(release, { recursive: true })
  const { filename, files } = pack('--pack-destination', release)
  say(`release/${filename}: ${files.length} files`)
  const syn = install(join(release, filename))
  tryOut(syn)
  const archive = archiveForPackagers(syn)
  say(`release/${archive}: man pages, completions and licenses`)
  const sums = [filename, archive].map((file) => `${hash('sha256', readFileSync(join(release, file)))}  ${file}\n`)
  writeFileSync(join(release, 'SHA256SUMS'), sums.join(''))
  writeFileSync(join(release, 'notes.md'), changelogEntry().text)
  say('release/SHA256SUMS, release/notes.md')
  for (const text of lacking) say(`before the release: ${text}`)
}

/** Runs git with the user's settings: what core.excludesFile ignores is no change. */
function git(...argv: readonly string[]): string {
  return runProgram('git', argv, { cwd: root })
}

function checkTree(): void {
  const changes = git('status', '--porcelain')
  if (changes !== '') throw new ScriptError(`the working tree has changes; commit them first:\n${changes.trimEnd()}`)
}

/** @returns what only a release needs, and this commit lacks. */
function checkVersion(): string[] {
  // npm publishes a version such as 1.2.3-rc.1 only with --tag, which the workflow does not pass.
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new ScriptError(`version ${version} is not of the form 1.2.3`)
  const lock = JSON.parse(read('package-lock.json')) as Manifest & { packages: Record<string, Manifest> }
  const locked = [lock.version, lock.packages['']?.version].find((one) => one !== version)
  if (locked !== undefined) throw new ScriptError(`package-lock.json has version ${locked}, package.json ${version}`)

  const { heading, day, text } = changelogEntry()
  if (!/^- /m.test(text)) throw new ScriptError(`CHANGELOG.md has nothing under "${heading}${day}"`)

  const tags = git('tag', '--points-at', 'HEAD')
    .split('\n')
    .filter((tag) => tag.startsWith('v'))
  const wrong = tags.find((tag) => tag !== `v${version}`)
  if (wrong !== undefined) throw new ScriptError(`the tag ${wrong} is not v${version}, the version of package.json`)
  return [
    ...(/^\d{4}-\d\d-\d\d$/.test(day) ? [] : [`CHANGELOG.md needs a date after "${heading}"`]),
    // npm refuses provenance of a package that names no repository, or another one.
    ...(JSON.stringify(repository ?? '').includes(process.env.GITHUB_REPOSITORY ?? '/')
      ? []
      : ['package.json needs the field repository, with the address on GitHub']),
    ...(/^## Install\n+```sh\nnpm install -g syn-cli$/m.test(read('README.md'))
      ? []
      : ['the section Install of README.md needs to begin with: npm install -g syn-cli']),
    ...(tags.length > 0 ? [] : [`this commit needs the tag v${version}`]),
  ]
}

/** What CHANGELOG.md says of this version. */
function changelogEntry(): { heading: string; day: string; text: string } {
  const heading = `## [${version}] - `
  const [, entry] = read('CHANGELOG.md').split(heading)
  if (entry === undefined) throw new ScriptError(`CHANGELOG.md has no heading "${heading}DATE" for this version`)
  const [day = ''] = entry.split('\n', 1)
  const [text = ''] = entry.slice(day.length).split(/^## /m)
  return { heading, day, text: `${text.trim()}\n` }
}

async function checkPages(): Promise<void> {
  const pages = await manPages()
  const files = readdirSync(join(root, 'man')).filter((file) => file.endsWith('.1'))
  const stray = files.find((file) => !pages.has(file))
  if (stray !== undefined) throw new ScriptError(`man/${stray} is the page of no command`)
  for (const [file, text] of pages) {
    const problem = !files.includes(file) ? 'is missing' : read(`man/${file}`) !== text ? 'differs from its tables' : ''
    if (problem) throw new ScriptError(`man/${file} ${problem}; run npm run man`)
  }
}

/** Installs a package into an empty folder, as people do. @returns the program. */
function install(archive: string): string {
  const prefix = join(scratch, 'prefix')
  run('npm', ['install', '--global', '--offline', '--prefix', prefix, archive])
  return join(prefix, 'bin/syn')
}

/** Runs the first command of README.md, and reads a man page and a completion from the installed package. */
function tryOut(syn: string): void {
  const [, command] = /^```sh\n.*npx (syn chat --sandbox ".+")$/m.exec(read('README.md')) ?? []
  if (command === undefined) throw new ScriptError('the first command of README.md is not npx syn chat --sandbox "..."')
  expectText(command, run('sh', ['-c', command]), 'Answered by the syn sandbox')
  expectText('syn --version', run(syn, ['--version']), version)
  expectText(
    'man/man1/syn-chat.1',
    readFileSync(join(scratch, 'prefix/share/man/man1/syn-chat.1'), 'utf8'),
    '.Dt SYN-CHAT 1',
  )
  expectText('syn man chat', run(syn, ['man', 'chat']), 'SYN-CHAT(1)')
  expectText(
    'syn completion bash',
    run('bash', ['-c', 'source <(syn completion bash) && complete -p syn']),
    '-F _syn syn',
  )
  expectText('completion of syn ch', run(syn, ['completion', '--words', 'syn ch']), 'chat')
  say(`installed from the archive: ${command}, man page and completion work`)
}

function expectText(what: string, text: string, expected: string): void {
  if (!text.includes(expected)) throw new ScriptError(`${what}: "${expected}" is missing in:\n${text}`)
}

/** What distributions install in their own places. @returns the name of the file. */
function archiveForPackagers(syn: string): string {
  const name = `syn-${version}-man-and-completions`
  const folder = join(scratch, name)
  for (const file of ['LICENSE', 'CHANGELOG.md', 'dist/THIRD-PARTY.txt'])
    cpSync(join(root, file), join(folder, file.replace('dist/', '')))
  for (const file of readdirSync(join(root, 'man')).filter((file) => file.endsWith('.1'))) {
    cpSync(join(root, 'man', file), join(folder, 'man', file))
  }
  const scripts = { bash: 'bash/syn', zsh: 'zsh/_syn', fish: 'fish/syn.fish' }
  for (const [shell, path] of Object.entries(scripts)) {
    const file = join(folder, 'completions', path)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, run(syn, ['completion', shell]))
  }
  run('tar', ['-czf', join(release, `${name}.tar.gz`), '-C', scratch, name])
  return `${name}.tar.gz`
}

/** Runs a program with an empty home, and the installed program in PATH. @throws ScriptError */
function run(file: string, argv: readonly string[]): string {
  const path = `${join(scratch, 'prefix/bin')}:${process.env.PATH ?? ''}`
  const env = { PATH: path, HOME: scratch, TMPDIR: scratch, npm_config_update_notifier: 'false' }
  return runProgram(file, argv, { cwd: scratch, env })
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
