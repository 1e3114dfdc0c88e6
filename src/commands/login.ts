import { operations } from '../api/operations.ts'
import { subscriptionLeft } from '../api/quota.ts'
import { defineCommand } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { NetworkError, UsageError } from '../errors.ts'
import type { Fields } from '../fields/field.ts'
import { isObject } from '../io/json.ts'
import { checkTransport, normalizeBaseUrl } from '../settings/base-url.ts'
import { withProfile } from '../settings/config-file.ts'
import { checkKey, runKeyCommand } from '../settings/key.ts'
import { askPassword, askText, canAsk } from '../io/question.ts'
import { changeDocument } from '../settings/change.ts'
import { checkValueOf, table } from '../settings/rows.ts'

const loginOptions = {
  withKey: { kind: 'switch', exclusive: ['keyCommand'], everyday: true, help: 'Read the API key from stdin' },
  keyCommand: {
    kind: 'text',
    placeholder: 'COMMAND',
    everyday: true,
    help: 'Store a command that prints the API key instead of the key',
  },
  verify: { kind: 'boolean', default: true, everyday: true, help: 'Check that the key works before storing it' },
} as const satisfies Fields

type Context = CommandContext<Fields, typeof loginOptions>

export default defineCommand({
  description:
    'Ask for the base URL of the service and for the API key, which is not shown. Check the key with a quota request, ' +
    'which is free, and store both in a file that only you can read. The key is never read from an argument.',
  options: loginOptions,
  examples: [
    ['Log in', 'syn login'],
    ['Read the key from a file', 'syn login --base-url https://api.example.com --with-key < key.txt'],
    ['Use a password manager', "syn login --base-url https://api.example.com --key-command 'pass show syn'"],
    ['Add a second account', 'syn login --profile work'],
  ],

  async run(context) {
    checkArguments(context)
    const baseUrl = await readBaseUrl(context)
    const key = await readKey(context)
    const verdict = key === undefined ? undefined : await askService(context, baseUrl, key)
    await store(context, baseUrl, key)
    await tell(context, baseUrl, verdict)
    const isShort = key !== undefined && context.secrets.isEmpty
    if (isShort) await context.notices.info('the key is too short to be masked where a service repeats it')
  },
})

function checkArguments({ options: { sandbox, withKey, keyCommand }, settings, io }: Context): void {
  if (sandbox) throw new UsageError('the sandbox needs no login', { hint: 'syn chat --sandbox works at once' })
  if (keyCommand !== undefined) checkValueOf(table['key-command'], keyCommand, '--key-command')
  // What is wrong with the profile's name or the config file is told before anybody is asked.
  settings.find('profile')
  void settings.document
  if (canAsk(io)) return
  const hasKey = (withKey && io.in.kind !== 'terminal') || keyCommand !== undefined
  if (hasKey && settings.find('base-url')) return
  throw new UsageError(
    'without a terminal, syn login needs --base-url URL and one of --with-key (the key on standard input) and --key-command COMMAND',
  )
}

/** The address of `--base-url`; else a person is asked, with the one in force as the proposal; else that one is taken. */
async function readBaseUrl({ options: { baseUrl, allowHttp }, settings, io }: Context): Promise<string> {
  const known = settings.find('base-url')?.value
  const check = (text: string): string => {
    const normal = normalizeBaseUrl(text, 'base address')
    checkTransport(normal, allowHttp ?? false)
    return normal
  }
  if (known !== undefined && (baseUrl !== undefined || !canAsk(io))) return check(known)
  return check(await askText({ message: 'Base address of the service', initial: known, check }, io))
}

/** Nothing when it stands behind a command that is not to be tried. */
async function readKey({
  options: { withKey, keyCommand, verify },
  secrets,
  io,
}: Context): Promise<string | undefined> {
  const check = (text: string): string => checkKey(text, 'key')
  let text: string
  if (keyCommand !== undefined) {
    if (verify === false) return undefined
    text = await runKeyCommand(keyCommand, io)
  } else if (withKey && io.in.kind !== 'terminal') {
    text = Buffer.from(await io.in.read('--with-key', io.signal)).toString('utf8')
  } else text = await askPassword({ message: 'API key (hidden)', check }, io)
  secrets.add(text.trim())
  return check(text)
}

/** @returns what the service said of the key, or nothing when it was not asked. */
async function askService({ options, client }: Context, baseUrl: string, key: string): Promise<string | undefined> {
  if (options.verify === false) return undefined
  const connected = await client.connect({ baseUrl, key })
  const { json: record } = await connected.send(operations.quota).catch(withAdvice)
  const subscription = isObject(record) ? subscriptionLeft(record) : undefined
  const left = subscription ? `: ${subscription.left} of ${subscription.limit} requests left` : ''
  return `the service takes the key${left}`
}

function withAdvice(error: unknown): never {
  if (!(error instanceof NetworkError)) throw error
  const hint = 'nothing was stored; --no-verify stores address and key unasked'
  throw new NetworkError(error.message, { hint, cause: error })
}

/** A key and a command for it exclude each other; permission for plain http is for this address alone. */
async function store({ options, settings }: Context, baseUrl: string, key: string | undefined): Promise<void> {
  const { keyCommand, allowHttp } = options
  await changeDocument(settings.path, (document) =>
    withProfile(document, settings.profile, {
      'base-url': baseUrl,
      'api-key': keyCommand === undefined ? key : undefined,
      'key-command': keyCommand,
      'allow-http': allowHttp,
    }),
  )
}

async function tell({ options, settings, notices, io }: Context, baseUrl: string, verdict?: string): Promise<void> {
  const what = options.keyCommand === undefined ? 'key' : 'key command'
  const http = options.allowHttp ? ', and that plain http is allowed' : ''
  await notices.info(`stored ${what} and address ${baseUrl}${http} as profile ${settings.profile} in ${settings.path}`)
  await notices.info(verdict ?? 'the service was not asked whether it takes the key')
  if (settings.find('profile')?.source.startsWith('flag')) {
    await notices.info(
      `to use it: --profile ${settings.profile}, or always: syn config set profile ${settings.profile}`,
    )
  }
  for (const variable of ['SYN_API_KEY', 'SYN_BASE_URL']) {
    if (io.env[variable]) await notices.info(`${variable} is set and goes before what is stored`)
  }
}
