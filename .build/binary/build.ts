/**
 * Makes the program one executable for this platform, with Node in it: release/syn. Needs dist/. See Node's documentation of
 * single executable applications.
 *
 * Usage: build.ts [--node FILE]
 */

import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { packageFiles } from '../npm.ts'
import { registryNode, singleFile as output } from './files.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const here = fileURLToPath(new URL('.', import.meta.url))
const postject = join(root, 'node_modules/postject/dist/cli.js')

/** What most people run: V8 keeps the functions that these lines call as compiled code. */
const usual = [
  ['--help'],
  ['chat', '--help'],
  ['completion', '--words', 'syn chat --rea'],
  ['chat', '--color=always', 'A table of three languages'],
  ['messages', 'hi'],
  ['complete', 'hi'],
  ['embed', 'hi'],
  ['batch', '-t', '{{.}}', '--lines', join(here, 'main.cjs')],
  ['quota'],
  ['models'],
  ['search', 'hi'],
  ['count-tokens', 'hi'],
]

const stage = mkdtempSync(join(tmpdir(), 'syn-binary-'))
try {
  await build(parseArgs({ options: { node: { type: 'string' } } }).values.node ?? registryNode())
} finally {
  rmSync(stage, { recursive: true })
}

async function build(node: string): Promise<void> {
  const [version, lts] = run(node, ['-p', 'process.version + " " + process.release.lts']).trim().split(' ')
  if (lts === 'undefined') {
    throw new Error(`${node} is ${version}, without long-term support; choose another one with --node FILE`)
  }
  const files = packageFiles()
  for (const file of files) cpSync(join(root, file), join(stage, file))
  appendFileSync(join(stage, 'dist/THIRD-PARTY.txt'), noticeOfNode(node, version))
  const scripts = files.filter((file) => file.startsWith('dist/') && file.endsWith('.cjs'))
  await compile(node, scripts)

  const assets = [...files, ...scripts.map((file) => `${file}.cache`)].map((file) => [file, join(stage, file)])
  const config = { main: join(here, 'main.cjs'), output: join(stage, 'blob'), assets: Object.fromEntries(assets) }
  writeFileSync(join(stage, 'config.json'), JSON.stringify({ ...config, disableExperimentalSEAWarning: true }))
  run(node, ['--experimental-sea-config', join(stage, 'config.json')])
  inject(node, join(stage, 'blob'))

  const { version: own } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const printed = run(output, ['--version']).trim()
  if (printed !== own) throw new Error(`${output} --version prints "${printed}" in place of "${own}"`)
  const size = Math.round(statSync(output).size / 1e6)
  process.stdout.write(`${output}: syn ${own} with Node ${version} (${lts}), ${size} MB\n`)
}

/** Official archives and the packages of the registry have the license beside or above the executable. */
function noticeOfNode(node: string, version = ''): string {
  const license = [dirname(node), dirname(dirname(node))].map((folder) => join(folder, 'LICENSE')).find(existsSync)
  if (license === undefined) throw new Error(`no LICENSE beside or above ${node}`)
  return `\n${'='.repeat(78)}\n\nNode.js ${version.slice(1)}, with the packages that it contains\n\n${readFileSync(license, 'utf8')}`
}

/** Runs them with a service of our own, as they would be with the real one. */
async function compile(node: string, scripts: readonly string[]): Promise<void> {
  const home = join(stage, 'home')
  mkdirSync(home)
  const env: NodeJS.ProcessEnv = { ...process.env, HOME: home, USERPROFILE: home, APPDATA: home, LOCALAPPDATA: home }
  for (const name of Object.keys(env)) if (/^(SYN|XDG|NODE)_/.test(name)) delete env[name]
  const sandbox = spawn(node, [join(root, 'bin/syn.cjs'), 'sandbox', '-q', '--port', '0', '--rate', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [line] = (await once(sandbox.stdout, 'data')) as [Buffer]
    Object.assign(env, { SYN_API_KEY: 'sandbox-key', SYN_BASE_URL: /http:\S+/.exec(String(line))?.[0] })
    const compiler = [join(here, 'compile.cjs'), stage, ...scripts, '--']
    for (const words of usual) run(node, [...compiler, ...words], env)
  } finally {
    sandbox.kill()
  }
}

/** postject warns of each section that it does not know, which is no failure. */
function inject(node: string, blob: string): void {
  const isMac = process.platform === 'darwin'
  mkdirSync(dirname(output), { recursive: true })
  // Not written over: it may be running.
  rmSync(output, { force: true })
  copyFileSync(node, output)
  chmodSync(output, 0o755)
  if (isMac) run('codesign', ['--remove-signature', output])
  const fuse = ['--sentinel-fuse', 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2']
  const segment = isMac ? ['--macho-segment-name', 'NODE_SEA'] : []
  run(process.execPath, [postject, output, 'NODE_SEA_BLOB', blob, ...fuse, ...segment])
  if (isMac) run('codesign', ['--sign', '-', output])
}

/** @throws Error with what it printed on standard error. */
function run(file: string, argv: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  return execFileSync(file, argv, { cwd: stage, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
