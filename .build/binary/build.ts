/**
 * Makes the program one executable for this platform, with Node in it: release/syn. Needs dist/. See Node's documentation of
 * single executable applications.
 *
 * Usage: build.ts [--node FILE]
 */

import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { once } from 'node:events'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { packageFiles } from '../npm.ts'
import { runProgram, runScript, ScriptError } from '../script.ts'
import { registryNode, singleFile } from './files.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const here = fileURLToPath(new URL('.', import.meta.url))
const postject = join(root, 'node_modules/postject/dist/cli.js')

/** What most people run: V8 keeps the functions that these lines call as compiled code. */
const usualLines = [
  ['--help'],
  ['chat', '--help'],
  ['completion', '--words', 'syn chat --rea'],
  ['chat', '--color=always', 'A table of three languages'],
  ['messages', 'hi'],
  ['complete', 'hi'],
  ['embed', 'hi'],
  // Any file of many lines will do.
  ['batch', '-t', '{{.}}', '--lines', join(here, 'main.cjs')],
  ['quota'],
  ['models'],
  ['search', 'hi'],
  ['count-tokens', 'hi'],
]

await runScript('binary', async (folder) => {
  const { node } = parseArgs({ options: { node: { type: 'string' } } }).values
  await build(node === undefined ? registryNode() : resolve(node), folder)
})

/** @param stage A folder for what is made. */
async function build(node: string, stage: string): Promise<void> {
  const printed = runProgram(node, ['-p', 'process.version + " " + process.release.lts'])
  const [version = '', lts] = printed.trim().split(' ')
  if (lts === 'undefined') {
    throw new ScriptError(`${node} is ${version}, without long-term support; choose another one with --node FILE`)
  }
  const notice = noticeOfNode(node, version)
  const files = packageFiles()
  for (const file of files) fs.cpSync(join(root, file), join(stage, file))
  fs.appendFileSync(join(stage, 'dist/THIRD-PARTY.txt'), notice)
  const scripts = files.filter((file) => file.startsWith('dist/') && file.endsWith('.cjs'))
  await compile(node, scripts, stage)

  const assets = [...files, ...scripts.map((file) => `${file}.cache`)].map((file) => [file, join(stage, file)])
  const config = { main: join(here, 'main.cjs'), output: join(stage, 'blob'), assets: Object.fromEntries(assets) }
  const options = { disableExperimentalSEAWarning: true, execArgvExtension: 'none' }
  fs.writeFileSync(join(stage, 'config.json'), JSON.stringify({ ...config, ...options }))
  runProgram(node, ['--experimental-sea-config', join(stage, 'config.json')])
  const file = join(stage, basename(singleFile))
  inject(node, join(stage, 'blob'), file)

  const { version: own } = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const answer = runProgram(file, ['--version']).trim()
  if (answer !== own) throw new Error(`the file prints "${answer}" as its version in place of "${own}"`)
  tryOptionsOfNode(file, join(stage, 'hostile'))
  fs.mkdirSync(dirname(singleFile), { recursive: true })
  // In two steps: the folders may be in two file systems, and a file that somebody runs may not be written over.
  fs.copyFileSync(file, `${singleFile}.new`)
  fs.renameSync(`${singleFile}.new`, singleFile)
  const size = Math.round(fs.statSync(singleFile).size / 1e6)
  process.stdout.write(`${singleFile}: syn ${own} with Node ${version} (${lts}), ${size} MB\n`)
}

/** @throws ScriptError if an option of Node has an effect on the file, in a folder of somebody else. */
function tryOptionsOfNode(file: string, folder: string): void {
  const mark = join(folder, 'mark')
  fs.mkdirSync(folder)
  fs.writeFileSync(join(folder, 'hostile.cjs'), `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`)
  fs.writeFileSync(join(folder, '.env'), 'NODE_OPTIONS=--require ./hostile.cjs\nSYN_MODEL=hf:hostile/model\n')
  const config = { nodeOptions: { require: ['./hostile.cjs'], import: ['./hostile.cjs'] } }
  fs.writeFileSync(join(folder, 'node.config.json'), JSON.stringify(config))
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: folder, USERPROFILE: folder, APPDATA: folder }
  const options = [
    '--env-file=.env',
    '--env-file',
    '--env-file-if-exists=.env',
    '--experimental-default-config-file',
    '--experimental-config-file=node.config.json',
    '--require=./hostile.cjs',
    '--import=./hostile.cjs',
    '--inspect-brk=0',
  ]
  const start = ['chat', '--dry-run']
  // Each is the value of an option, and an argument. Node takes the word after --env-file, and ends if there is no such file.
  const lines = options.flatMap((option) => [
    [...start, '-s', option, '.env'],
    [...start, '--', option, '.env'],
  ])
  const runs = lines.map((line) => [line, ''] as const)
  for (const variable of ['--require ./hostile.cjs', '--not-an-option']) runs.push([[...start, 'hi'], variable])
  for (const [line, NODE_OPTIONS] of runs) {
    const printed = runProgram(file, line, { cwd: folder, env: { ...env, NODE_OPTIONS } })
    if (fs.existsSync(mark) || printed.includes('hostile/model'))
      throw new ScriptError(`an option of Node has an effect: NODE_OPTIONS='${NODE_OPTIONS}' syn ${line.join(' ')}`)
  }
}

/** Official archives and the packages of the registry have the license beside or above the executable. */
function noticeOfNode(node: string, version: string): string {
  const license = [dirname(node), dirname(dirname(node))].map((folder) => join(folder, 'LICENSE')).find(fs.existsSync)
  if (license === undefined)
    throw new ScriptError(
      `no LICENSE beside or above ${node}; unpack an official archive of Node, and use the node in it`,
    )
  return `\n${'='.repeat(78)}\n\nNode.js ${version.slice(1)}, with the packages that it contains\n\n${fs.readFileSync(license, 'utf8')}`
}

/** Runs the usual lines with `syn sandbox` as the service: with --sandbox, the code for connections would not be compiled. */
async function compile(node: string, scripts: readonly string[], stage: string): Promise<void> {
  const home = join(stage, 'home')
  fs.mkdirSync(home)
  const env: NodeJS.ProcessEnv = { ...process.env, HOME: home, USERPROFILE: home, APPDATA: home, LOCALAPPDATA: home }
  for (const name of Object.keys(env)) if (/^(SYN|XDG|NODE)_/.test(name)) delete env[name]
  env.NODE_DISABLE_COMPILE_CACHE = '1'
  const sandbox = spawn(node, [join(root, 'bin/syn.cjs'), 'sandbox', '-q', '--port', '0', '--rate', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [line] = (await once(sandbox.stdout, 'data')) as [Buffer]
    Object.assign(env, { SYN_API_KEY: 'sandbox-key', SYN_BASE_URL: /http:\S+/.exec(String(line))?.[0] })
    const compiler = [join(here, 'compile.cjs'), stage, ...scripts, '--']
    for (const words of usualLines) runProgram(node, [...compiler, ...words], { env })
  } finally {
    sandbox.kill()
  }
}

/** postject warns of each section that it does not know, which is no failure. */
function inject(node: string, blob: string, file: string): void {
  const isMac = process.platform === 'darwin'
  fs.copyFileSync(node, file)
  fs.chmodSync(file, 0o755)
  if (isMac) runProgram('codesign', ['--remove-signature', file])
  const fuse = ['--sentinel-fuse', 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2']
  const segment = isMac ? ['--macho-segment-name', 'NODE_SEA'] : []
  runProgram(process.execPath, [postject, file, 'NODE_SEA_BLOB', blob, ...fuse, ...segment])
  if (isMac) runProgram('codesign', ['--sign', '-', file])
}
