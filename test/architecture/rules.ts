/** The dependency rules of src/: which module may import which, and the only import site of each package. */

import { cycleThrough } from './cycles.ts'
import type { Import, Source } from './sources.ts'

/**
 * What the files of a module may import besides each other and the base modules: imports go downwards only. A module is a
 * folder or a file of src/.
 */
export const modules: Readonly<Record<string, readonly string[]>> = {
  main: ['cli'],
  cli: ['command', 'commands', 'context', 'notices', 'terminal', 'fields'],
  commands: [
    'command',
    'context',
    'preview',
    'notices',
    'answer',
    'chat',
    'completion',
    'conversation',
    'embeddings',
    'input',
    'models',
    'quota',
    'search',
    'terminal',
    'settings',
    'api',
    'stream',
    'fields',
    'sandbox',
  ],
  chat: [
    'context',
    'notices',
    'answer',
    'conversation',
    'quota',
    'models',
    'input',
    'terminal',
    'settings',
    'api',
    'stream',
    'fields',
  ],
  answer: [
    'context',
    'preview',
    'notices',
    'conversation',
    'models',
    'terminal',
    'settings',
    'api',
    'stream',
    'fields',
  ],
  completion: ['command', 'conversation', 'models', 'settings', 'api', 'fields'],
  command: ['context', 'fields'],
  context: ['notices', 'terminal', 'settings', 'models', 'api', 'stream', 'fields', 'sandbox'],
  preview: ['notices', 'api', 'fields'],
  conversation: ['notices', 'terminal', 'settings', 'api', 'stream', 'fields'],
  embeddings: ['notices', 'terminal', 'api', 'stream', 'fields'],
  quota: ['notices', 'terminal', 'api', 'fields'],
  search: ['terminal', 'settings', 'api', 'fields'],
  models: ['notices', 'terminal', 'settings', 'api', 'stream', 'fields'],
  terminal: [],
  input: ['api', 'fields'],
  sandbox: ['api', 'fields'],
  api: ['stream', 'fields'],
  stream: [],
  settings: ['fields'],
  fields: [],
  notices: ['terminal'],
  io: [],
  errors: [],
}
export const baseModules = ['errors', 'io']

/** The files that may import a package. */
const importSites: Readonly<Record<string, RegExp>> = {
  '@clack/prompts': /^io\/question\.ts$/,
  ajv: /^fields\/json-schema\.ts$/,
  'ajv-formats': /^fields\/json-schema\.ts$/,
  chalk: /^terminal\/style\.ts$/,
  commander: /^cli\/(mount|run|usage-error)\.ts$/,
  conf: /^settings\/change\.ts$/,
  'csv-parse': /^input\/csv\.ts$/,
  'csv-stringify': /^embeddings\/csv\.ts$/,
  entities: /^terminal\/markdown\/inline\.ts$/,
  'eventsource-parser': /^stream\/events\.ts$/,
  'fast-string-width': /^terminal\/width\.ts$/,
  'fast-wrap-ansi': /^terminal\/width\.ts$/,
  'highlight.js': /^terminal\/markdown\/(highlight|languages)\.ts$/,
  ora: /^terminal\/spinner\.ts$/,
  'proper-lockfile': /^io\/private\.ts$/,
  undici: /^api\/connection\.ts$/,
  valibot: /^fields\/shape\.ts$|^api\/.+\/shapes\.ts$/,
}

/** Imports that a module's row allows but a finer rule doesn't. */
const bans: readonly { from: RegExp; to: RegExp; manner?: RegExp; because: string }[] = [
  { from: /^commands\//, to: /^commands\//, because: 'a command never imports another command' },
  { from: /^api\/(?!client\.ts)/, to: /^api\/client\.ts$/, because: 'an operation never imports the client' },
  {
    from: /^sandbox\//,
    to: /^api\/(?!(.+\/)?(fields|shapes|image|operations)\.ts$)/,
    because: "the sandbox reads api's tables only",
  },
  {
    from: /^api\/operations\.ts$/,
    to: /./,
    manner: /static|lazy/,
    because: 'every request and the sandbox load the table of operations',
  },
  {
    from: /^commands\/(?!sandbox\.ts)/,
    to: /^sandbox\//,
    because: 'only context.ts and commands/sandbox.ts import the sandbox',
  },
  { from: /^context\.ts$/, to: /^sandbox\//, manner: /static/, because: 'the sandbox is loaded on demand' },
  {
    from: /^context\.ts$/,
    to: /^api\/client\.ts/,
    manner: /static/,
    because: 'the client is loaded at the first request',
  },
  {
    from: /^(context|notices)\.ts$/,
    to: /^terminal\/(?!style\.ts$)/,
    manner: /static/,
    because: 'what draws on a terminal is loaded only there',
  },
  { from: /^cli\//, to: /^commands\//, manner: /static|type/, because: 'a command is loaded when it is named' },
  { from: /^(?!main\.ts)/, to: /^(node:)?process$/, because: 'only main.ts touches the process' },
]

/** Packages that these files may load at start-up, through static imports. */
const loadedAtStart: readonly { from: RegExp; packages: readonly string[] }[] = [
  { from: /^(main|cli\/run|commands\/.+)\.ts$/, packages: ['commander'] },
]

/**
 * What exists once for one-shot answers, the chat and whatever else asks a model: a second place would soon differ.
 * The pattern is that of a call.
 */
const constructionSites: readonly { call: RegExp; site: string; what: string }[] = [
  { call: /\bnew Meter\(/, site: 'answer/ask.ts', what: 'the meter of an answer' },
  { call: /\bnew Outcome\(/, site: 'answer/ask.ts', what: 'the outcome of an answer' },
  { call: /(?<!function )\bchoosePrinter\(/, site: 'answer/ask.ts', what: "the choice of an answer's printer" },
  { call: /(?<!function )\bstartSpinner\(/, site: 'terminal/spinner.ts', what: 'the spinner' },
]

const maximumLines = 400

/** Everything that breaks a rule, one sentence each. */
export function violations(sources: readonly Source[]): string[] {
  return [
    ...sources.flatMap((source) => source.imports.flatMap((one) => importViolations(source.path, one))),
    ...sources.flatMap(fileViolations),
    ...sources.flatMap((source) => startViolations(source.path, sources)),
    ...cycleViolations(sources),
  ]
}

function importViolations(path: string, { target, manner }: Import): string[] {
  const said = bans
    .filter((ban) => ban.from.test(path) && ban.to.test(target) && (ban.manner?.test(manner) ?? true))
    .map((ban) => `${path} imports ${target}: ${ban.because}`)
  if (target.startsWith('node:')) return said
  if (!target.endsWith('.ts')) return [...said, ...packageViolations(path, target)]
  const [from, to] = [moduleOf(path), moduleOf(target)]
  const allowed = [from, ...baseModules, ...(modules[from] ?? [])]
  return allowed.includes(to) ? said : [...said, `${path} imports ${target}: ${from} may not import ${to}`]
}

function packageViolations(path: string, target: string): string[] {
  const name = packageOf(target)
  const site = importSites[name]
  if (site === undefined)
    return [`${path} imports ${name}: the package has no import site in test/architecture/rules.ts`]
  return site.test(path) ? [] : [`${path} imports ${name}: its only import site is ${site.source}`]
}

function fileViolations({ path, code, lines }: Source): string[] {
  const said = []
  if (modules[moduleOf(path)] === undefined) said.push(`${path}: its module is not in test/architecture/rules.ts`)
  if (/(^|\/)(utils?|helpers?)[/.]/.test(path)) said.push(`${path}: a file is named after what it is about`)
  if (/(^|\/)index\.ts$/.test(path)) said.push(`${path}: import the file that is meant`)
  if (lines > maximumLines) said.push(`${path}: ${lines} lines, at most ${maximumLines} are allowed`)
  for (const { call, site, what } of constructionSites) {
    if (path !== site && call.test(code)) said.push(`${path}: ${what} is constructed in ${site} alone`)
  }
  if (path !== 'main.ts' && /(?<![\w.$'"`])(globalThis\.)?process\??\.[a-z]/i.test(code)) {
    said.push(`${path}: only main.ts touches the process`)
  }
  return said
}

function cycleViolations(sources: readonly Source[]): string[] {
  const cycle = cycleThrough(sources)
  return cycle ? [`${cycle.join(' imports ')}: a cycle`] : []
}

function startViolations(path: string, sources: readonly Source[]): string[] {
  const rule = loadedAtStart.find(({ from }) => from.test(path))
  if (rule === undefined) return []
  return [...loadedBy(path, sources)]
    .filter(([name]) => !rule.packages.includes(name))
    .map(([name, by]) => `${path} loads ${name} at start-up, by way of ${by}`)
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

function moduleOf(path: string): string {
  return path.replace(/(\/.*|\.ts)$/, '')
}

function packageOf(target: string): string {
  return /^(@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? target
}
