/**
 * Checks a release and packs its files into release/: the npm package, an archive for packagers, their checksums, and the notes.
 * It needs no account and publishes nothing: .github/workflows/release.yml does. Needs dist/.
 *
 * Usage: release.ts [--dry-run]
 *
 * A release is a commit with a tag. With --dry-run, what only it needs is listed and is no failure.
 */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { manPages } from '../man/pages.ts'
import { pack } from './npm.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const release = join(root, 'release')

class ReleaseError extends Error {}

interface Manifest {
  readonly version: string
  readonly repository?: unknown
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const { version, repository } = JSON.parse(read('package.json')) as Manifest

const scratch = mkdtempSync(join(tmpdir(), 'syn-release-'))
try {
  const { 'dry-run': isDry } = parseArgs({ options: { 'dry-run': { type: 'boolean' } } }).values
  await main(isDry ?? false)
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  process.stderr.write(`release: ${error.message}\n`)
  process.exitCode = 1
} finally {
  rmSync(scratch, { recursive: true })
}

async function main(isDry: boolean): Promise<void> {
  checkTree()
  const lacking = checkVersion()
  if (!isDry && lacking[0] !== undefined) throw new ReleaseError(lacking[0])
  await checkPages()
  say(`version ${version}: changelog, lock file, tag and man pages agree`)

  mkdirSync(release, { recursive: true })
  const { filename, files } = pack('--pack-destination', release)
  say(`release/${filename}: ${files.length} files`)
  const syn = install(join(release, filename))
  tryOut(syn)
  const archive = archiveForPackagers(syn)
  say(`release/${archive}: man pages, completions and licenses`)
  const sums = [filename, archive].map((file) => `${sha256(readFileSync(join(release, file)))}  ${file}\n`)
  writeFileSync(join(release, 'SHA256SUMS'), sums.join(''))
  writeFileSync(join(release, 'notes.md'), changelogEntry().text)
  say('release/SHA256SUMS, release/notes.md')
  for (const text of lacking) say(`before the release: ${text}`)
}

function checkTree(): void {
  const changes = run('git', ['status', '--porcelain'], root)
  if (changes !== '') throw new ReleaseError(`the working tree has changes; commit them first:\n${changes.trimEnd()}`)
}

/** @returns what only a release needs, and this commit lacks. */
function checkVersion(): string[] {
  const locked = (JSON.parse(read('package-lock.json')) as Manifest).version
  if (locked !== version) throw new ReleaseError(`package-lock.json has version ${locked}, package.json ${version}`)

  const { heading, day, text } = changelogEntry()
  if (!/^- /m.test(text)) throw new ReleaseError(`CHANGELOG.md has nothing under "${heading}${day}"`)

  const tags = run('git', ['tag', '--points-at', 'HEAD'], root)
    .split('\n')
    .filter((tag) => tag.startsWith('v'))
  const wrong = tags.find((tag) => tag !== `v${version}`)
  if (wrong !== undefined) throw new ReleaseError(`the tag ${wrong} is not v${version}, the version of package.json`)
  return [
    ...(/^\d{4}-\d\d-\d\d$/.test(day) ? [] : [`CHANGELOG.md needs a date after "${heading}"`]),
    // npm refuses provenance of a package that names no repository, or another one.
    ...(repository === undefined ? ['package.json needs the field repository, with the address on GitHub'] : []),
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
  if (entry === undefined) throw new ReleaseError(`CHANGELOG.md has no heading "${heading}DATE" for this version`)
  const [day = ''] = entry.split('\n', 1)
  const [text = ''] = entry.slice(day.length).split(/^## /m)
  return { heading, day, text: `${text.trim()}\n` }
}

async function checkPages(): Promise<void> {
  const pages = await manPages()
  const files = readdirSync(join(root, 'man')).filter((file) => file.endsWith('.1'))
  const stray = files.find((file) => !pages.has(file))
  if (stray !== undefined) throw new ReleaseError(`man/${stray} is the page of no command`)
  for (const [file, text] of pages) {
    if (!files.includes(file) || read(`man/${file}`) !== text) {
      throw new ReleaseError(`man/${file} differs from the tables and texts that it is made from; run npm run man`)
    }
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
  if (command === undefined)
    throw new ReleaseError('the first command of README.md is not npx syn chat --sandbox "..."')
  expectText(command, run('sh', ['-c', command]), 'Answered by the syn sandbox')
  expectText('syn --version', run(syn, ['--version']), version)
  expectText(
    'man/man1/syn-chat.1',
    readFileSync(join(scratch, 'prefix/share/man/man1/syn-chat.1'), 'utf8'),
    '.Dt SYN-CHAT 1',
  )
  expectText('syn man chat', run(syn, ['man', 'chat']), 'SYN-CHAT(1)')
  expectText('syn completion bash', run('bash', ['-c', 'source <(syn completion bash) && complete -p syn']), 'syn')
  expectText('completion of syn ch', run(syn, ['completion', '--words', 'syn ch']), 'chat')
  say(`installed from the archive: ${command}, man page and completion work`)
}

function expectText(what: string, text: string, expected: string): void {
  if (!text.includes(expected))
    throw new ReleaseError(`${what}: "${expected}" is missing in what the package has:\n${text}`)
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
  const scripts = { bash: 'bash/syn', zsh: 'zsh/_syn', fish: 'fish/syn.fish', powershell: 'powershell/syn.ps1' }
  for (const [shell, path] of Object.entries(scripts)) {
    const file = join(folder, 'completions', path)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, run(syn, ['completion', shell]))
  }
  run('tar', ['-czf', join(release, `${name}.tar.gz`), '-C', scratch, name])
  return `${name}.tar.gz`
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/**
 * Runs a program with an empty home, where only npm's own settings are known, and the installed program in PATH.
 * @throws ReleaseError with what it printed on standard error.
 */
function run(file: string, argv: readonly string[], cwd = scratch): string {
  const { PATH = '' } = process.env
  const env = {
    PATH: `${join(scratch, 'prefix/bin')}:${PATH}`,
    HOME: scratch,
    TMPDIR: tmpdir(),
    npm_config_update_notifier: 'false',
  }
  try {
    return execFileSync(file, argv, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    throw new ReleaseError(`${file} ${argv.join(' ')}: ${(error as { stderr?: string }).stderr || String(error)}`)
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
