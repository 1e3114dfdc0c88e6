/** The walls of the house: who may import whom, and where the single doors are. */

import type { Import, Source } from './sources.ts'

/** What the files of one room may import besides each other and the leaves. A room is a folder or a file of src/. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  main: ['run'],
  run: ['registry', 'mount', 'help', 'usage-error', 'command', 'context', 'render', 'fields'],
  'usage-error': ['fields'],
  registry: ['command', 'commands'],
  mount: ['help', 'command', 'context', 'fields'],
  help: ['command', 'fields'],
  command: ['context', 'fields'],
  context: ['notices', 'render', 'settings', 'models', 'api', 'stream', 'fields', 'sandbox'],
  commands: [
    'command',
    'context',
    'ask',
    'notices',
    'completion',
    'conversation',
    'transcript',
    'quota',
    'render',
    'input',
    'models',
    'search',
    'settings',
    'api',
    'stream',
    'fields',
    'sandbox',
  ],
  ask: ['context', 'models', 'render', 'api', 'stream', 'fields'],
  completion: ['command', 'transcript', 'models', 'settings', 'api', 'fields'],
  conversation: [
    'context',
    'notices',
    'transcript',
    'quota',
    'render',
    'input',
    'models',
    'settings',
    'api',
    'stream',
    'fields',
  ],
  transcript: ['notices', 'settings', 'api', 'stream', 'fields'],
  quota: ['notices', 'render', 'api', 'fields'],
  render: ['notices', 'api', 'stream', 'fields'],
  models: ['notices', 'settings', 'api', 'stream', 'fields'],
  search: ['settings', 'api', 'fields'],
  input: ['api', 'stream', 'fields'],
  sandbox: ['api', 'fields'],
  api: ['stream', 'fields'],
  stream: ['fields'],
  settings: ['fields'],
  fields: [],
  notices: [],
  io: [],
  errors: [],
}
const leaves = ['errors', 'io']

/** The files through which a package comes in. */
const doors: Readonly<Record<string, RegExp>> = {
  '@clack/prompts': /^settings\/prompt\.ts$/,
  ajv: /^input\/schema\.ts$/,
  'ajv-formats': /^input\/schema\.ts$/,
  chalk: /^render\/style\.ts$/,
  commander: /^(mount|run|usage-error)\.ts$/,
  conf: /^settings\/store\.ts$/,
  'csv-parse': /^input\/csv\.ts$/,
  'csv-stringify': /^render\/embeddings\/csv\.ts$/,
  entities: /^render\/markdown\/inline\.ts$/,
  'eventsource-parser': /^stream\/events\.ts$/,
  'fast-string-width': /^render\/width\.ts$/,
  'fast-wrap-ansi': /^render\/width\.ts$/,
  'highlight.js': /^render\/markdown\/(highlight|languages)\.ts$/,
  marked: /^render\/conversations\/subordinate\.ts$/,
  ora: /^render\/spinner\.ts$/,
  'proper-lockfile': /^io\/private\.ts$/,
  undici: /^api\/connection\.ts$/,
  valibot: /^fields\/shape\.ts$|^api\/.+\/shapes\.ts$/,
}

/** Imports that a room's row allows but a finer rule doesn't. */
const bans: readonly { from: RegExp; to: RegExp; manner?: RegExp; because: string }[] = [
  { from: /^commands\//, to: /^commands\//, because: 'a command never imports another command' },
  { from: /^api\/(?!client\.ts)/, to: /^api\/client\.ts$/, because: "an operation doesn't know how it travels" },
  {
    from: /^sandbox\//,
    to: /^api\/(?!(.+\/)?(fields|shapes|image-formats)\.ts$)/,
    because: "the sandbox reads api's tables only",
  },
  {
    from: /^commands\/(?!sandbox\.ts)/,
    to: /^sandbox\//,
    because: 'only context.ts and commands/sandbox.ts know the sandbox',
  },
  { from: /^context\.ts$/, to: /^sandbox\//, manner: /static/, because: 'the sandbox is loaded when asked for' },
  {
    from: /^context\.ts$/,
    to: /^api\/client\.ts/,
    manner: /static/,
    because: 'the client is loaded at the first request',
  },
  {
    from: /^(run|context)\.ts$/,
    to: /^render\/(?!width\.ts$)/,
    because: 'of what is shown they only wrap what they say',
  },
  {
    from: /^(run|context)\.ts$/,
    to: /^render\//,
    manner: /static/,
    because: 'what wraps is loaded where somebody reads',
  },
  { from: /^registry\.ts$/, to: /^commands\//, manner: /static|type/, because: 'a command is loaded when it is named' },
  { from: /^(?!main\.ts)/, to: /^(node:)?process$/, because: 'only main.ts touches the process' },
]

/** What is loaded before anything is asked of a file, through static imports: packages that start-up can afford. */
const affordable: readonly { from: RegExp; packages: readonly string[] }[] = [
  { from: /^(main|run|commands\/.+)\.ts$/, packages: ['commander'] },
]

const longestFile = 250

/** Everything that breaks a rule, one sentence each. */
export function violations(sources: readonly Source[]): string[] {
  return [
    ...sources.flatMap((source) => source.imports.flatMap((one) => importViolations(source.path, one))),
    ...sources.flatMap(fileViolations),
    ...sources.flatMap((source) => startViolations(source.path, sources)),
  ]
}

function importViolations(path: string, { target, manner }: Import): string[] {
  const said = bans
    .filter((ban) => ban.from.test(path) && ban.to.test(target) && (ban.manner?.test(manner) ?? true))
    .map((ban) => `${path} imports ${target}: ${ban.because}`)
  if (target.startsWith('node:')) return said
  if (!target.endsWith('.ts')) return [...said, ...doorViolations(path, target)]
  const [from, to] = [roomOf(path), roomOf(target)]
  const allowed = [from, ...leaves, ...(rooms[from] ?? [])]
  return allowed.includes(to) ? said : [...said, `${path} imports ${target}: ${from} may not see ${to}`]
}

function doorViolations(path: string, target: string): string[] {
  const name = packageOf(target)
  const door = doors[name]
  if (door === undefined) return [`${path} imports ${name}: the package has no door yet in test/architecture/rules.ts`]
  return door.test(path) ? [] : [`${path} imports ${name}: its only door is ${door.source}`]
}

function fileViolations({ path, code, lines }: Source): string[] {
  const said = []
  if (rooms[roomOf(path)] === undefined) said.push(`${path}: its room is not in test/architecture/rules.ts`)
  if (/(^|\/)(utils?|helpers?)[/.]/.test(path)) said.push(`${path}: a file is named after what it is about`)
  if (/(^|\/)index\.ts$/.test(path)) said.push(`${path}: import the file that is meant`)
  if (lines > longestFile) said.push(`${path}: ${lines} lines, ${longestFile} are the most`)
  if (path !== 'main.ts' && /(?<![\w.$'"`])(globalThis\.)?process\??\.[a-z]/i.test(code)) {
    said.push(`${path}: only main.ts touches the process`)
  }
  return said
}

function startViolations(path: string, sources: readonly Source[]): string[] {
  const rule = affordable.find(({ from }) => from.test(path))
  if (rule === undefined) return []
  return [...loadedBy(path, sources)]
    .filter(([name]) => !rule.packages.includes(name))
    .map(([name, by]) => `${path} loads ${name} at its start, by way of ${by}`)
}

/** Packages that come with a file at once, each with the file that imports it. */
function loadedBy(start: string, sources: readonly Source[]): Map<string, string> {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const packages = new Map<string, string>()
  const seen = new Set([start])
  for (const path of seen) {
    for (const { target, manner } of byPath.get(path)?.imports ?? []) {
      if (manner !== 'static' || target.startsWith('node:')) continue
      if (target.endsWith('.ts')) seen.add(target)
      else packages.set(packageOf(target), path)
    }
  }
  return packages
}

function roomOf(path: string): string {
  return path.replace(/(\/.*|\.ts)$/, '')
}

function packageOf(target: string): string {
  return /^(@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? target
}
