/** The dependency rules of src/: which module may import which, and the only import site of each package. */

import { findCycle } from './cycles.ts'
import type { Import, Source } from './sources.ts'
import { terminalViolations } from './terminal-rules.ts'

/**
 * The modules that each module may import, besides the base modules. Imports go downwards only. A module is a folder or a
 * file of src/.
 */
export const modules: Readonly<Record<string, readonly string[]>> = {
  main: ['cli'],
  cli: ['command', 'commands', 'completion', 'context', 'hint-words', 'notices', 'settings', 'terminal', 'fields'],
  commands: [
    'command',
    'context',
    'preview',
    'notices',
    'hint-words',
    'answer',
    'batch',
    'chat',
    'completion',
    'conversation',
    'embeddings',
    'input',
    'models',
    'quota',
    'search',
    'tools',
    'terminal',
    'settings',
    'api',
    'stream',
    'fields',
    'sandbox',
  ],
  batch: [
    'context',
    'preview',
    'notices',
    'hint-words',
    'answer',
    'quota',
    'models',
    'input',
    'terminal',
    'api',
    'stream',
    'fields',
  ],
  chat: [
    'context',
    'notices',
    'answer',
    'tools',
    'conversation',
    'embeddings',
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
    'hint-words',
    'tools',
    'conversation',
    'quota',
    'models',
    'terminal',
    'settings',
    'api',
    'stream',
    'fields',
  ],
  tools: ['context', 'input', 'settings', 'api', 'stream', 'fields'],
  completion: ['command', 'context', 'conversation', 'models', 'tools', 'settings', 'api', 'fields'],
  command: ['context', 'fields'],
  context: ['notices', 'terminal', 'settings', 'models', 'api', 'fields', 'sandbox'],
  preview: ['notices', 'api', 'fields'],
  'hint-words': ['fields'],
  conversation: ['notices', 'input', 'terminal', 'settings', 'api', 'stream', 'fields'],
  embeddings: ['notices', 'models', 'input', 'terminal', 'settings', 'api', 'stream', 'fields'],
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
  notices: ['hint-words', 'terminal'],
  io: [],
  errors: [],
}
/** Modules that any module may import. */
export const baseModules = ['errors', 'io']

/** The only import site of each package: the files that may import it. */
const importSites: Readonly<Record<string, RegExp>> = {
  '@clack/prompts': /^io\/process\/text-question\.ts$/,
  '@modelcontextprotocol/client': /^tools\/server\.ts$/,
  ajv: /^fields\/json-schema\.ts$/,
  'ajv-formats': /^fields\/json-schema\.ts$/,
  chalk: /^terminal\/style\.ts$/,
  commander: /^cli\/commander-parser\.ts$/,
  conf: /^settings\/change\.ts$/,
  'csv-stringify': /^io\/text\/csv-text\.ts$/,
  entities: /^terminal\/markdown\/(highlight|inline)\.ts$/,
  'eventsource-parser': /^stream\/events\.ts$/,
  'fast-string-width': /^terminal\/width\.ts$/,
  'highlight.js': /^terminal\/markdown\/(highlight|languages)\.ts$/,
  ora: /^terminal\/spinner\.ts$/,
  'proper-lockfile': /^io\/files\/private\.ts$/,
  tinyglobby: /^fields\/pattern\.ts$/,
  tokenx: /^models\/token-estimate\.ts$/,
  undici: /^api\/(connection|exchange)\.ts$/,
  unicodeit: /^terminal\/markdown\/formula\.ts$/,
  valibot: /^fields\/shape\.ts$|^api\/.+\/shapes\.ts$|^tools\/(tools-file|server)\.ts$/,
}

/** Imports that `modules` allows but that are forbidden for single files. */
const bans: readonly { from: RegExp; to: RegExp; manner?: RegExp; because: string }[] = [
  {
    from: /./,
    to: /^tools\/server\.ts$/,
    manner: /static/,
    because: 'the client of MCP servers is loaded only when a server is named',
  },
  {
    from: /^(?!tools\/)/,
    to: /^tools\//,
    manner: /static/,
    because: 'tools are loaded only when one is named',
  },
  { from: /^commands\//, to: /^commands\//, because: 'a command never imports another command' },
  { from: /^api\/(?!(lazy-)?client\.ts)/, to: /^api\/client\.ts$/, because: 'an operation never imports the client' },
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
    from: /^(?!api\/(?!lazy-client\.ts))/,
    to: /^api\/client\.ts/,
    manner: /static/,
    because: 'the client is loaded at the first request',
  },
  {
    from: /^(context|notices)\.ts$/,
    to: /^terminal\/(?!style\.ts$)/,
    manner: /static/,
    because: 'code that draws on a terminal is loaded only for a terminal',
  },
  { from: /^cli\//, to: /^commands\//, manner: /static|type/, because: 'a command is loaded only when it is used' },
  { from: /^(?!main\.ts)/, to: /^(node:)?process$/, because: 'only main.ts touches the process' },
]

/** Files that may load no package at startup, through static imports. */
const loadedAtStartup = /^(main|cli\/run|commands\/.+)\.ts$/

/** Code that breaks a promise only for some inputs, at some times, or at some sizes: tests seldom meet these. */
const forbidden: readonly { code: RegExp; except: RegExp; because: string }[] = [
  {
    code: /\bin\.chunks\(/,
    except: /^io\/files\/files\.ts$/,
    because: 'only io/files/files.ts reads standard input, as it ends an input that is endless',
  },
  {
    code: /\baddEventListener\('abort'/,
    except: /^io\/time\/abort-signal\.ts$/,
    because:
      'if the signal aborted before, the listener is not called, and Ctrl-C is lost: use io/time/abort-signal.ts',
  },
  {
    code: /\bIntl\.Segmenter\(/,
    except: /^terminal\/graphemes\.ts$/,
    because: 'its time grows with the square of the text, 40 s for 200,000 characters: use terminal/graphemes.ts',
  },
  {
    code: /\.(push|unshift)\(\.\.\.|Math\.(max|min|hypot)\((\w+, )?\.\.\./,
    // These have lists of options, commands and settings. A command line may have 100,000 words.
    except: /^(cli\/(?!argv\.ts)|sandbox\/|settings\/|main\.ts)/,
    because: 'this throws for an array of 100,000 items: use io/arrays.ts',
  },
]

/** Files that may parse JSON without a limit of its depth: they read what syn itself wrote or is packaged with. */
const parsesOwnJson =
  /^io\/(json\/(parse|scan|exact-numbers)|process\/package)\.ts$|^terminal\/line-editor\/history\.ts$/

/** All violations of the rules, one sentence each. */
export function violations(sources: readonly Source[]): string[] {
  return [
    ...sources.flatMap((source) => source.imports.flatMap((one) => importViolations(source.path, one))),
    ...sources.flatMap(fileViolations),
    ...sources.flatMap(terminalViolations),
    ...sources.flatMap((source) => startupViolations(source.path, sources)),
    ...cycleViolations(sources),
  ]
}

/** The table of the service's models, and the file of the one that the list lacks. */
const factFiles = ['sandbox/models.ts', 'models/embedding-model.ts']

const modelNames = /\bhf:[\w.-]+\/[\w.-]+|\b(deepseek|glm|gpt|kimi|llama|minimax|qwen)[\d-][\w.-]*\d[\w.-]*/gi

/** Names of models and what their requests weigh: these move every few weeks, and stand in one table. */
export function factViolations({ path, code }: Pick<Source, 'path' | 'code'>): string[] {
  if (factFiles.includes(path)) return []
  // What the sandbox sends for the words of some prompts is named after models.
  const names = path === 'sandbox/generate/no-answer.ts' ? [] : (code.match(modelNames) ?? [])
  const weights = path.startsWith('sandbox/') ? [] : (code.match(/(?<!font-)\bweights?(?:Of)?\b/gi) ?? [])
  return [...names, ...weights].map((found) => `${path}: ${found} belongs in ${factFiles[0]}`)
}

/** The starts of comments that only their neighbors complete. */
export function commentViolations({ path, comments }: Source): string[] {
  const starts = comments.flatMap(
    (text) => text.match(/(?:\/\/|\*) (?:Also|As|It|Likewise|Not|Of|Such|They|Those|Where)\b.*/g) ?? [],
  )
  return starts.map((start) => `${path}: ${start}: begin with a subject, so that it can be read alone`)
}

function importViolations(path: string, { target, manner }: Import): string[] {
  const found = bans
    .filter((ban) => ban.from.test(path) && ban.to.test(target) && (ban.manner?.test(manner) ?? true))
    .map((ban) => `${path} imports ${target}: ${ban.because}`)
  if (target.startsWith('node:')) return found
  if (!target.endsWith('.ts')) return [...found, ...packageViolations(path, target)]
  const [from, to] = [moduleOf(path), moduleOf(target)]
  const allowed = [from, ...baseModules, ...(modules[from] ?? [])]
  return allowed.includes(to) ? found : [...found, `${path} imports ${target}: ${from} may not import ${to}`]
}

function packageViolations(path: string, target: string): string[] {
  const name = packageOf(target)
  const site = importSites[name]
  if (site === undefined)
    return [`${path} imports ${name}: the package has no import site in test/architecture/rules.ts`]
  return site.test(path) ? [] : [`${path} imports ${name}: its only import site is ${site.source}`]
}

function fileViolations({ path, code }: Source): string[] {
  const found = []
  if (modules[moduleOf(path)] === undefined) found.push(`${path}: its module is not in test/architecture/rules.ts`)
  if (/(^|\/)(utils?|helpers?)[/.]/.test(path)) found.push(`${path}: name the file after its subject`)
  if (/(^|\/)index\.ts$/.test(path)) found.push(`${path}: import the file itself`)
  for (const { code: pattern, except, because } of forbidden) {
    if (pattern.test(code) && !except.test(path)) found.push(`${path}: ${String(pattern.exec(code)?.[0])}: ${because}`)
  }
  if (/\bJSON\.parse\(/.test(code) && !parsesOwnJson.test(path)) {
    found.push(`${path}: JSON.parse has no limit of depth: use io/json/parse.ts`)
  }
  if (path !== 'main.ts' && /(?<![\w.$'"`])(globalThis\.)?process\??\.[a-z]/i.test(code)) {
    found.push(`${path}: only main.ts touches the process`)
  }
  return found
}

function cycleViolations(sources: readonly Source[]): string[] {
  const cycle = findCycle(sources)
  return cycle ? [`${cycle.join(' imports ')}: a cycle`] : []
}

function startupViolations(path: string, sources: readonly Source[]): string[] {
  if (!loadedAtStartup.test(path)) return []
  return [...loadedBy(path, sources)].map(([name, by]) => `${path} loads ${name} at startup, through ${by}`)
}

/** Packages that a file loads statically, each with the file that imports it. */
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
