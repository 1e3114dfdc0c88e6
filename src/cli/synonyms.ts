/** What people type from other tools, and what does the same here. Loaded only after a failure. */

/** Words at the beginning of a command line, in lower case. What follows them stays. */
export const commandSynonyms: Readonly<Record<string, string | ((next: string) => string)>> = {
  version: '--version',
  ask: 'chat',
  prompt: 'chat',
  // Of ollama, with a model.
  run: (next) => (/^\S+$/.test(next) ? 'chat -m' : 'chat'),
  message: 'messages',
  completions: 'complete',
  'completions bash': 'completion bash',
  'completions zsh': 'completion zsh',
  'completions fish': 'completion fish',
  'completions powershell': 'completion powershell',
  autocomplete: 'completion',
  embedding: 'embed',
  embeddings: 'embed',
  count: 'count-tokens',
  token: 'count-tokens',
  tokens: 'count-tokens',
  tokenize: 'count-tokens',
  usage: 'quota',
  quotas: 'quota',
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
  signin: 'login',
  setup: 'login',
  keys: 'login',
  'keys set': 'login',
  'auth login': 'login',
  'auth logout': 'logout',
  'auth status': 'config list',
  'login status': 'config list',
  whoami: 'config list',
  status: 'config list',
  profile: 'config profiles',
  profiles: 'config profiles',
  'profile list': 'config profiles',
  'profile use': 'config set profile',
  settings: 'config',
  'models ls': 'models list',
  'models view': 'models show',
  'models get': 'models show',
  'models info': 'models show',
  'models search': 'models --filter',
  'models find': 'models --filter',
  'models grep': 'models --filter',
  'sessions resume': 'chat --session',
  'sessions continue': 'chat --session',
  'sessions load': 'chat --session',
  'sessions open': 'chat --session',
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
  'config use': 'config set profile',
  web: 'search',
  google: 'search',
  serve: 'sandbox',
}

/** A flag that is written without its `--flag`: `--prompt hi` is `hi`. */
export const asArgument = ''

/**
 * A flag, or a flag with its value, and what does the same: the first that the command has. Underscores instead of dashes
 * need no row. A function may also replace a flag that the command has, by its value.
 */
export const flagSynonyms: Readonly<Record<string, readonly string[] | ((value: string) => readonly string[])>> = {
  '--verbose': ['--debug'],
  '--silent': ['--quiet'],
  '--system-prompt': ['--system'],
  '--instructions': ['--system'],
  '--sys': ['--system'],
  '-t': ['--temperature'],
  '--temp': ['--temperature'],
  '--max-output-tokens': ['--max-tokens'],
  '--effort': ['--reasoning-effort'],
  '--dim': ['--dimensions'],
  '--search': ['--filter'],
  '-n': ['--limit'],
  // Of claude and gemini, with a prompt.
  '-p': (value) => (/^\S+=/.test(value) ? [] : [asArgument]),
  '-i': (value) => (/\s/.test(value) && !isImage(value) ? [asArgument] : []),
  '-a': attachment,
  '--attachment': attachment,
  '--attach': attachment,
  '--image-url': ['--image'],
  '-d': ['--delimiter'],
  '-j': (value) => (/^\d+$/.test(value) ? ['--jobs'] : ['--json']),
  '--format json': ['--json'],
  '--output-format json': ['--json'],
  '--output-format': ['--format'],
  '--format jsonl': ['--jsonl'],
  '--prompt': [asArgument],
  '--shell': [asArgument],
  '--message': [asArgument],
  '--question': [asArgument],
  '--text': [asArgument],
  '--resume': ['--session'],
  '--conversation': ['--session'],
  '--cid': ['--session'],
  '--url': ['--base-url'],
  '--host': ['--base-url'],
  '--endpoint': ['--base-url'],
  '--api-base': ['--base-url'],
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
