import { isMissingEndpoint, isRefused } from '../api/failures.ts'
import { WebPageError } from '../stream/body-sniffing.ts'
import { operations, type Sender } from '../api/operations.ts'
import { defineCommand } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { checkBaseUrl, NetworkError, StatusError, UsageError, withAddedHint, withHint } from '../errors.ts'
import type { Fields } from '../fields/field.ts'
import { readStandardInput } from '../io/files/files.ts'
import { isObject } from '../io/json/json.ts'
import { documentedModel } from '../models/embedding-model.ts'
import { quotaLeftText } from '../quota/record.ts'
import { checkTransport, normalizeBaseUrl } from '../settings/base-url.ts'
import { withProfile } from '../settings/config-file.ts'
import { validKey, runKeyCommand } from '../settings/key.ts'
import type { Io } from '../io/io.ts'
import { canAsk } from '../io/process/question.ts'
import { askPassword, askText, withTypeAhead } from '../io/process/text-question.ts'
import { safe } from '../io/text/safe-text.ts'
import { changeDocument } from '../settings/change.ts'
import { checkSettingValue, settingSpecs } from '../settings/setting-specs.ts'

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

type LoginContext = CommandContext<Fields, typeof loginOptions>

export default defineCommand({
  description:
    'Ask for the base URL of the service and for the API key, which is not shown. Check the key with a free request, for ' +
    'the quota or else the model list, and store both in a file that only you can read. The key is never read from an ' +
    'argument.',
  options: loginOptions,
  examples: [
    ['Log in', 'syn login'],
    ['Read the key from a file', 'syn login --base-url https://api.example.com --with-key < key.txt'],
    ['Use a password manager', "syn login --base-url https://api.example.com --key-command 'pass show syn'"],
    ['Use the keyring of a Linux desktop', "syn login --key-command 'secret-tool lookup service syn'"],
    ['Use the keychain of macOS', "syn login --key-command 'security find-generic-password -s syn -w'"],
    ['Add a second account', 'syn login --profile work'],
  ],

  async run(context) {
    const source = keySource(context)
    checkArguments(context, source)
    const read = async (io: Io): Promise<[baseUrl: string, key: string | undefined]> => {
      const baseUrl = await readBaseUrl({ ...context, io })
      return [baseUrl, await readKey(source, { ...context, io })]
    }
    const [baseUrl, first] = await (source === 'question' ? withTypeAhead(context.io, read) : read(context.io))
    const askAgain = source === 'question' ? () => askKey(context) : undefined
    const [key, result] = first === undefined ? [] : await findWorkingKey(context, baseUrl, first, askAgain)
    await store(context, baseUrl, key)
    await report(context, baseUrl, result)
    const isShort = key !== undefined && context.secrets.mask(key) === key
    if (isShort) await context.notices.info('the API key is too short to be masked in errors')
  },
})

type KeySource = 'key command' | 'standard input' | 'question'

function keySource({ options: { withKey, keyCommand }, io }: LoginContext): KeySource {
  if (keyCommand !== undefined) return 'key command'
  return withKey && io.in.kind !== 'terminal' ? 'standard input' : 'question'
}

function checkArguments({ options: { sandbox, keyCommand }, settings, io }: LoginContext, source: KeySource): void {
  if (sandbox) throw new UsageError('the sandbox needs no login', { hint: 'use syn chat --sandbox' })
  if (keyCommand !== undefined) checkSettingValue(settingSpecs['key-command'], keyCommand, '--key-command')
  // Errors in the profile's name or the config file are reported before the first question.
  settings.find('profile')
  void settings.document
  if (canAsk(io) || (source !== 'question' && settings.find('base-url'))) return
  throw new UsageError('cannot ask for the base URL and API key without a terminal', {
    hint: 'use --base-url URL with --with-key (API key on standard input) or --key-command COMMAND',
  })
}

/** The URL of `--base-url`; otherwise asks, with the current one as the default; without a terminal, the current one. */
async function readBaseUrl({ options: { baseUrl, allowHttp }, settings, io }: LoginContext): Promise<string> {
  const known = settings.find('base-url')?.value
  const check = (text: string): string => {
    const normalized = normalizeBaseUrl(text, 'base URL')
    checkTransport(normalized, allowHttp ?? false)
    return normalized
  }
  if (known !== undefined && (baseUrl !== undefined || !canAsk(io))) return check(known)
  return check(await askText({ message: safe`Base URL of the service`, initial: known, check }, io))
}

/** @returns `undefined` for a key command that is not to be verified. */
async function readKey(source: KeySource, context: LoginContext): Promise<string | undefined> {
  if (source === 'question') return askKey(context)
  const { options, secrets, io } = context
  const { keyCommand } = options
  if (keyCommand !== undefined && options.verify === false) return undefined
  const text =
    keyCommand === undefined
      ? Buffer.from(await readStandardInput('--with-key', io)).toString('utf8')
      : await runKeyCommand(keyCommand, io)
  secrets.add(text.trim())
  return validKey(text, source)
}

async function askKey({ secrets, io }: LoginContext): Promise<string> {
  const check = (text: string): string => validKey(text, 'API key')
  const text = await askPassword({ message: safe`API key (hidden)`, check }, io)
  secrets.add(text.trim())
  return check(text)
}

/**
 * Checks the key, and asks for another one as long as the service refuses it.
 * @param askAgain `undefined` if there is nobody to ask.
 * @returns the key, and the notice about it unless there is --no-verify.
 */
async function findWorkingKey(
  context: LoginContext,
  baseUrl: string,
  first: string,
  askAgain: (() => Promise<string>) | undefined,
): Promise<[key: string, result?: string]> {
  if (context.options.verify === false) return [first]
  for (let key = first; ;) {
    try {
      return [key, await verifyKey(context, baseUrl, key)]
    } catch (error) {
      if (!askAgain || !isRefused(error)) throw withLoginHint(error, baseUrl)
      await context.notices.fail(withHint(error, 'enter the API key again, or press Ctrl-C to leave'))
      key = await askAgain()
    }
  }
}

/** Checks the key with the quota, or else with the model list. @returns the notice about it. */
async function verifyKey({ client }: LoginContext, baseUrl: string, key: string): Promise<string> {
  const connected = await client.connect({ baseUrl, key })
  try {
    const { json: record } = await connected.send(operations.quota)
    const left = isObject(record) ? quotaLeftText(record) : undefined
    if (isObject(record) && Object.keys(record).length === 0) return await tryEmbedding(connected)
    return left === undefined ? 'the key works' : `the key works: ${left}`
  } catch (error) {
    if (!isMissingEndpoint(error)) throw error
  }
  await connected.send(operations.models)
  return 'the service has no quota; it sent the model list for this key, which it may send without one'
}

/** An empty quota record may be the answer to any key. An embedding is free. @throws StatusError if the service refuses the key. */
async function tryEmbedding(connected: Sender): Promise<string> {
  const body = { model: documentedModel, input: 'word' }
  return connected.send(operations.embeddings, body, { oneAttempt: true }).then(
    () => 'the key works (checked with an embedding; the service reports no quota)',
    (error: unknown) => {
      if (isRefused(error)) throw error
      return 'the API key was stored, but not tried: the service reports no quota, and gave no embedding'
    },
  )
}

/** Says that nothing was stored. The hints of other requests about the key and the base URL are about what is stored. */
function withLoginHint(error: unknown, baseUrl: string): unknown {
  if (isRefused(error)) return withHint(error, 'nothing was stored; check the API key')
  if (isMissingEndpoint(error) || error instanceof WebPageError) {
    // The message of the other error names it.
    const where = error instanceof WebPageError ? ` ${baseUrl}` : ''
    return withHint(error, `nothing was stored; check the base URL${where}, or use --no-verify to store it unchecked`)
  }
  const hint = 'nothing was stored; use --no-verify to store the base URL and API key unchecked'
  if (error instanceof NetworkError && error.hint === checkBaseUrl) return withHint(error, hint)
  return error instanceof NetworkError || error instanceof StatusError ? withAddedHint(error, hint) : error
}

/** Key and key command replace each other. `allow-http` is removed unless given: it was for the previous base URL. */
async function store({ options, settings }: LoginContext, baseUrl: string, key: string | undefined): Promise<void> {
  const { keyCommand, allowHttp } = options
  await changeDocument(settings.file, (document) =>
    withProfile(document, settings.profile, {
      'base-url': baseUrl,
      'api-key': keyCommand === undefined ? key : undefined,
      'key-command': keyCommand,
      'allow-http': allowHttp,
    }),
  )
}

async function report(
  { options, settings, notices, io }: LoginContext,
  baseUrl: string,
  result?: string,
): Promise<void> {
  const what = options.keyCommand === undefined ? 'API key' : 'key command'
  const http = options.allowHttp ? ', with plain http allowed,' : ''
  await notices.info(`stored ${what} and base URL ${baseUrl}${http} as profile ${settings.profile} in ${settings.path}`)
  await notices.info(result ?? `the ${what} was not checked`)
  if (settings.find('profile')?.source.startsWith('flag')) {
    await notices.info(
      `use --profile ${settings.profile}, or syn config set profile ${settings.profile} to make it the default`,
    )
  }
  for (const variable of ['SYN_API_KEY', 'SYN_BASE_URL']) {
    if (io.env[variable]) await notices.info(`${variable} is set and overrides the stored value`)
  }
}
