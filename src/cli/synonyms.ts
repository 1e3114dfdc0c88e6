/** What people type from other tools, and what does the same here. Loaded only after a failure. */

/** Words at the beginning of a command line, in lower case. What follows them stays. */
export const commandSynonyms: Readonly<Record<string, string>> = {
  version: '--version',
  ask: 'chat',
  prompt: 'chat',
  run: 'chat',
  message: 'messages',
  completions: 'complete',
  embedding: 'embed',
  embeddings: 'embed',
  count: 'count-tokens',
  token: 'count-tokens',
  tokens: 'count-tokens',
  tokenize: 'count-tokens',
  usage: 'quota',
  credits: 'quota',
  balance: 'quota',
  limits: 'quota',
  model: 'models',
  ls: 'models',
  list: 'models',
  history: 'sessions',
  logs: 'sessions',
  log: 'sessions',
  session: 'sessions',
  conversations: 'sessions',
  auth: 'login',
  'auth login': 'login',
  'auth logout': 'logout',
  'auth status': 'config list',
  'login status': 'config list',
  whoami: 'config list',
  settings: 'config',
  'models ls': 'models list',
  'models view': 'models show',
  'sessions ls': 'sessions list',
  'sessions view': 'sessions show',
  'sessions cat': 'sessions show',
  'sessions get': 'sessions show',
  'sessions delete': 'sessions rm',
  'sessions remove': 'sessions rm',
  'sessions mv': 'sessions rename',
  'sessions find': 'sessions search',
  'sessions grep': 'sessions search',
  'sessions save': 'sessions export',
  'config ls': 'config list',
  'config view': 'config list',
  'config show': 'config list',
  'config add': 'config set',
  'config rm': 'config unset',
  'config delete': 'config unset',
  'config remove': 'config unset',
  'config open': 'config edit',
}

/** A flag that is written without its `--flag`: `--prompt hi` is `hi`. */
export const asArgument = ''

/**
 * A flag, or a flag with its value, and what does the same: the first that the command has. Underscores instead of dashes
 * need no row.
 */
export const flagSynonyms: Readonly<Record<string, readonly string[] | ((value: string) => readonly string[])>> = {
  '--verbose': ['--debug'],
  '--silent': ['--quiet'],
  '--system-prompt': ['--system'],
  '--instructions': ['--system'],
  '-t': ['--temperature'],
  '-n': ['--limit', '--n'],
  '-a': attachment,
  '--attachment': attachment,
  '--attach': attachment,
  '-j': ['--json'],
  '--format json': ['--json'],
  '--output-format json': ['--json'],
  '--format jsonl': ['--jsonl'],
  '--prompt': [asArgument],
  '--message': [asArgument],
  '--question': [asArgument],
  '--text': [asArgument],
  '--resume': ['--continue'],
  '--url': ['--base-url'],
  '--host': ['--base-url'],
  '--endpoint': ['--base-url'],
  '--api-base': ['--base-url'],
}

/** Of llm: an image or another file. */
function attachment(value: string): string[] {
  return /\.(png|jpe?g|gif|webp|bmp|tiff?|avif|heic)$/i.test(value) ? ['--image', '--file'] : ['--file']
}

/** Hints for flags that no single flag replaces. */
export const flagHints: Readonly<Record<string, string>> = {
  '-v': 'use syn -V for the version, or --debug to log each request',
  '-V': 'use syn -V for the version',
  '--version': 'use syn --version',
}
