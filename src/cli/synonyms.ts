/** What people type from other tools, by what does the same here. Loaded only after a failure. */

import { isShell } from '../completion/shells.ts'

/** Words at the beginning of a command line, in lower case. What follows them stays. */
export const commandSynonyms: Readonly<Record<string, readonly string[]>> = {
  '--version': ['version'],
  chat: ['ask', 'prompt'],
  messages: ['message'],
  completion: ['autocomplete'],
  embed: ['embedding', 'embeddings'],
  'count-tokens': ['count', 'token', 'tokens', 'tokenize'],
  quota: ['usage', 'quotas', 'credits', 'balance', 'limits'],
  search: ['web', 'google'],
  models: ['model', 'ls', 'list'],
  'models list': ['models ls'],
  'models show': ['models view', 'models get', 'models info'],
  'models --filter': ['models search', 'models find', 'models grep'],
  sessions: ['history', 'logs', 'log', 'session', 'conversations'],
  'sessions list': ['sessions ls'],
  'sessions show': ['sessions view', 'sessions cat', 'sessions get'],
  'sessions rm': ['sessions delete', 'sessions remove'],
  'sessions rename': ['sessions mv'],
  'sessions search': ['sessions find', 'sessions grep'],
  'sessions export': ['sessions save'],
  prompts: ['templates', 'prompts list', 'prompts ls'],
  'prompts edit': ['prompts add', 'prompts new', 'prompts create'],
  'prompts rm': ['prompts delete', 'prompts remove'],
  'chat --session': ['sessions resume', 'sessions continue', 'sessions load', 'sessions open'],
  login: ['auth', 'signin', 'setup', 'keys', 'keys set', 'auth login'],
  logout: ['auth logout'],
  config: ['settings'],
  'config list': ['auth status', 'login status', 'whoami', 'status', 'config ls', 'config view', 'config show'],
  'config profiles': ['profile', 'profiles', 'profile list'],
  'config set profile': ['profile use', 'config use'],
  'config set': ['config add'],
  'config unset': ['config rm', 'config delete', 'config remove'],
  'config edit': ['config open'],
  sandbox: ['serve'],
}

/** Commands that depend on the word after them. */
export const commandsByWord: Readonly<Record<string, (next: string) => string | undefined>> = {
  // Of ollama, with a model.
  run: (next) => (/^\S+$/.test(next) ? 'chat -m' : 'chat'),
  completions: (next) => (isShell(next) ? 'completion' : 'complete'),
  // `syn complete` is paid for: only for a line that is certainly not about a script.
  completion: (next) => (next === '' || isShell(next) ? undefined : 'complete'),
}

/** A flag that is written without its `--flag`: `--prompt hi` is `hi`. */
export const asArgument = ''

/**
 * Flags, or flags with their value. A command may have another flag than the one here. Underscores instead of dashes need no
 * row.
 */
export const flagSynonyms: Readonly<Record<string, readonly string[]>> = {
  [asArgument]: ['--prompt', '--shell', '--message', '--question', '--text'],
  '--debug': ['--verbose'],
  '--quiet': ['--silent'],
  '--system': ['--system-prompt', '--instructions', '--sys'],
  '--temperature': ['--temp'],
  '--max-tokens': ['--max-output-tokens'],
  '--reasoning-effort': ['--effort'],
  '--dimensions': ['--dim'],
  '--filter': ['--search'],
  '--limit': ['-n'],
  '--image': ['--image-url'],
  '--delimiter': ['-d'],
  '--json': ['--format json', '--output-format json'],
  '--jsonl': ['--format jsonl'],
  '--format': ['--output-format'],
  '--session': ['--resume', '--conversation', '--cid'],
  '--base-url': ['--url', '--host', '--endpoint', '--api-base'],
}

/** Flags that depend on their value: what may be meant, also where the command has a flag of that name. */
export const flagsByValue: Readonly<Record<string, (value: string) => readonly string[]>> = {
  // Of claude and gemini, with a prompt.
  '-p': (value) => (/^\S+=/.test(value) ? [] : [asArgument]),
  '-i': (value) => (/\s/.test(value) && !isImage(value) ? [asArgument] : []),
  '-t': (value) => (/^[\d.]+$/.test(value) ? ['--temperature'] : []),
  '-a': attachment,
  '--attachment': attachment,
  '--attach': attachment,
  '-j': (value) => (/^\d+$/.test(value) ? ['--jobs'] : ['--json']),
}

/** Of llm: an image or another file. */
function attachment(value: string): string[] {
  return isImage(value) ? ['--image', '--file'] : ['--file']
}

function isImage(value: string): boolean {
  return /\.(png|jpe?g|gif|webp|bmp|tiff?|avif|heic)$/i.test(value)
}

/** Hints for flags that no single flag replaces; only for commands that have those in the hint. */
export const flagHints: Readonly<Record<string, string>> = {
  // Of llama.cpp, the number of tokens: as many answers would be paid for.
  '-n': 'use --n for the number of answers, or --max-tokens to limit their length',
  // Of aichat, the name of a system prompt.
  '--role': 'use --system TEXT, or --system @FILE, for a system prompt',
  '-v': 'use syn -V for the version, or --debug to log each request',
  '-V': 'use syn -V for the version',
  '--version': 'use syn --version',
}
