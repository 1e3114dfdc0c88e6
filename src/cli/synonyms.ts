/** What people type from other tools, by our name for it. Loaded only after a failure. */

/**
 * Names of subcommands come first, then commands, then options. A name may be a few words, such as `chat -m`, and so may
 * what is typed.
 */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  show: ['view', 'cat', 'get', 'info'],
  list: ['ls', 'show', 'view'],
  rm: ['delete', 'remove'],
  rename: ['mv'],
  search: ['find', 'grep', 'web', 'google'],
  export: ['save'],
  set: ['add'],
  unset: ['rm', 'delete', 'remove'],
  prompts: ['templates'],
  completion: ['completions bash', 'completions fish', 'completions zsh'],
  complete: ['completions'],
  'models list': ['models search', 'models find', 'models grep'],
  'chat --session': ['sessions resume', 'sessions continue', 'sessions load', 'sessions open'],
  'config set profile': ['config use', 'profile use'],
  '--version': ['version'],
  chat: ['ask', 'prompt'],
  'chat -m': ['run'],
  embed: ['embedding', 'embeddings'],
  'count-tokens': ['count', 'token', 'tokens', 'tokenize'],
  quota: ['usage', 'credits', 'balance', 'limits'],
  models: ['ls', 'list'],
  sessions: ['history', 'logs', 'log', 'conversations'],
  logout: ['auth logout'],
  'config list': ['auth status', 'whoami', 'status'],
  login: ['auth', 'signin', 'setup', 'keys'],
  config: ['settings'],
  'config profiles': ['profile', 'profiles'],
  sandbox: ['serve'],
  'syn --version': ['--version', '-V'],
  '--debug, or syn -V for the version': ['-v'],
  'the prompt without an option': ['-p', '--prompt', '--message', '--question'],
  'the shell without an option': ['--shell'],
  // In syn batch, whose argument is a file.
  '--template': ['--prompt'],
  '--debug': ['--verbose'],
  '--quiet': ['--silent'],
  '--system': ['--system-prompt', '--instructions', '--sys', '--role'],
  '--temperature': ['--temp'],
  '--max-tokens': ['--max-output-tokens'],
  '--reasoning-effort': ['--effort'],
  '--limit': ['-n'],
  // llama.cpp means the number of tokens: as many answers would be paid for.
  '--n for the number of answers, or --max-tokens': ['-n'],
  '--image or --file': ['-a', '--attachment', '--attach'],
  '--image': ['--image-url'],
  '--file': ['-a', '--attachment', '--attach'],
  '--delimiter': ['-d'],
  '--jobs': ['-j'],
  '--json': ['-j', '--format json', '--output-format json'],
  '--jsonl': ['--format jsonl'],
  '--format': ['--output-format'],
  '--session': ['--resume', '--conversation', '--cid'],
  '--base-url': ['--url', '--host', '--endpoint', '--api-base'],
}

/**
 * Our name for what was typed.
 * @param typed The first one that is a synonym counts.
 * @param isKnown Whether a name exists where it was typed.
 */
export function synonymOf(typed: readonly string[], isKnown: (name: string) => boolean): string | undefined {
  const names = Object.keys(synonyms).filter(isKnown)
  for (const one of typed) {
    const name = names.find((known) => synonyms[known]?.includes(one))
    if (name !== undefined) return name
  }
  return undefined
}
