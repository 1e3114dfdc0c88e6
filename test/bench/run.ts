/** Measures all that was chosen on one version of Node. */

import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { arch, cpus, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { boundsOf, limitFor, overBounds } from './bounds.ts'
import type { Figure, Setting } from './figures.ts'
import { type Group, groups } from './groups.ts'
import { BenchmarkError, type Environment } from './measure.ts'
import type { NodeVersion } from './nodes.ts'
import { OptionError, type Options } from './options.ts'

export interface Run {
  /** Its version. */
  readonly syn: string
  readonly node: string
  readonly nodeMajor: number
  readonly machine: { readonly cpu: string; readonly cores: number; readonly system: string }
  /** `2026-11-22` */
  readonly date: string
  readonly figures: readonly Figure[]
}

/** Long enough to be masked, as real keys are. */
const key = 'syn_b5d1c7e09f2a4683b7c6'

/** The flags of Node that load TypeScript, also from a process that has others. */
export const tsx = [`--env-file=${fileURLToPath(new URL('../../.build/tsx.env', import.meta.url))}`, '--import', 'tsx']

/** @param report Called with what is measured next. */
export async function measureAll(
  { path: node, version, major }: NodeVersion,
  options: Options,
  report: (text: string) => void,
): Promise<Run> {
  const server = fork(fileURLToPath(new URL('server.ts', import.meta.url)), { execArgv: [...tsx] })
  const folder = mkdtempSync(join(tmpdir(), 'syn-bench-'))
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeFolder)
  try {
    const [port] = (await once(server, 'message')) as [number]
    const place = placeIn(folder)
    const baseUrl = `http://127.0.0.1:${port}`
    const { syn } = options
    logIn([node, syn, 'login', '--base-url', baseUrl, '--with-key'], place.env)
    const figures: Figure[] = []
    for (const group of groups.filter((group) => isChosen(group, options))) {
      const wants = (id: string): boolean => wantsFigure(id, options, major)
      const rounds = options.rounds ?? group.rounds
      const setting: Setting = { ...place, node, syn, baseUrl, key, wants, rounds, report }
      report(`Node ${version}: ${group.name}`)
      figures.push(...(await measureGroup(group, setting, options.gate ? major : undefined)))
    }
    return { syn: synVersion(), node: version, nodeMajor: major, machine: machine(), date: today(), figures }
  } finally {
    server.disconnect()
    removeFolder()
    process.off('exit', removeFolder)
  }
}

/** Stores the key, as a user does. */
function logIn([command, ...argv]: readonly [string, ...string[]], env: Environment): void {
  const { status, stderr } = spawnSync(command, argv, { env, input: key, encoding: 'utf8' })
  if (status !== 0) throw new BenchmarkError(`syn login failed with status ${status}: ${stderr.trim()}`)
}

/** @param gated The version of Node with whose bounds the figures are compared. */
async function measureGroup(group: Group, setting: Setting, gated: number | undefined): Promise<Figure[]> {
  const { measure } = group
  const figures = await measure(setting)
  if (figures.length === 0) {
    throw new OptionError(`nothing to measure in ${group.name}${gated === undefined ? '' : ' with a bound'}`)
  }
  const exceeded = new Set(figures.filter((one) => gated !== undefined && overBounds([one], gated).length > 0))
  if (exceeded.size === 0) return figures
  // The machine may have been busy: more rounds show whether it was that.
  const ids = new Set([...exceeded].map(({ id }) => id))
  setting.report(`again, with more rounds: ${[...ids].join(', ')}`)
  const again = await measure({ ...setting, wants: (id) => ids.has(id), rounds: 2 * setting.rounds })
  return figures.map((one) => (exceeded.has(one) ? (again.find(({ id }) => id === one.id) ?? one) : one))
}

function placeIn(folder: string): Pick<Setting, 'folder' | 'env'> {
  const [home, temporary] = [join(folder, 'home'), join(folder, 'tmp')]
  for (const path of [home, temporary]) mkdirSync(path)
  const { PATH = '' } = process.env
  // Newer versions of Node keep compiled code in the temporary folder; the round that isn't counted fills it.
  return { folder, env: { PATH, HOME: home, TMPDIR: temporary, TZ: 'UTC', LANG: 'C.UTF-8' } }
}

function isChosen({ name, onlyIfNamed }: Group, { only }: Options): boolean {
  return only.length === 0 ? !onlyIfNamed : only.some((one) => one.split('/', 1)[0] === name)
}

function wantsFigure(id: string, { only, gate }: Options, major: number): boolean {
  const isNamed = only.length === 0 || only.some((name) => id === name || id.startsWith(`${name}/`))
  return isNamed && (!gate || boundsOf(id).some((bound) => limitFor(bound, major) !== undefined))
}

function synVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

function machine(): Run['machine'] {
  const all = cpus()
  return { cpu: all[0]?.model.trim() ?? 'unknown CPU', cores: all.length, system: `${platform()} ${arch()}` }
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}
