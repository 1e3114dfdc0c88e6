/** One spec per setting. `syn config`, the order of precedence and the check of the config file use it. */

import { UsageError } from '../errors.ts'
import { acceptingAnyModel, type Field, type Values } from '../fields/field.ts'
import { globalOptions, type GlobalValues } from '../fields/global-options.ts'
import { kindOf } from '../fields/kinds.ts'
import { checkKind } from '../fields/parse.ts'
import { invalidValue } from '../fields/problem.ts'
import { limitOptions, sessionOptions } from '../fields/request-options.ts'
import { quote } from '../io/json/print.ts'
import { maskedKey } from '../io/secrets.ts'
import { normalizeBaseUrl } from './base-url.ts'
import { validKey } from './key.ts'

export type AnySettingValue = string | number | boolean

export interface Setting {
  /** Its default applies if it is a value that the field accepts, and not a description such as `on a terminal`. */
  readonly field: Field
  /** The global option that sets it for one run. */
  readonly option?: keyof GlobalValues
  /** Environment variables that set it, highest precedence first. `convert` makes the setting of the variable's text. */
  readonly variables?: readonly { readonly name: string; readonly convert?: (text: string) => string }[]
  /** Never shown, and never read from an argument. */
  readonly secret?: true
  /** What is shown of its value (default: all of it). */
  readonly shown?: (text: string) => string
  /** Described in the man page only. */
  readonly hidden?: true
  /** Belongs to the account, which --sandbox replaces. The others are the user's taste, and hold for the sandbox too. */
  readonly ofAccount?: true
  /** Converts true and false, which a flag without a value stands for. */
  readonly convert?: (value: unknown) => unknown
  /** Normalizes a text, or throws a UsageError that starts with `where`. */
  readonly normalize?: (text: string, where: string) => string
}

export const settingSpecs = {
  profile: {
    field: {
      kind: 'text',
      completes: 'profile',
      help: 'Default profile',
      default: 'default',
    },
    option: 'profile',
    variables: [{ name: 'SYN_PROFILE' }],
    normalize: checkProfileName,
  },
  'base-url': {
    field: globalOptions.baseUrl,
    option: 'baseUrl',
    variables: [{ name: 'SYN_BASE_URL' }],
    ofAccount: true,
    normalize: normalizeBaseUrl,
  },
  'api-key': {
    field: { kind: 'text', help: 'API key of the account' },
    variables: [{ name: 'SYN_API_KEY' }],
    ofAccount: true,
    secret: true,
    normalize: validKey,
  },
  'key-command': {
    field: { kind: 'text', help: 'Command that prints the API key on its first line' },
    ofAccount: true,
    shown: maskLikelyKeys,
  },
  model: {
    field: {
      kind: 'model',
      default: 'syn:large:text; images may need syn:large:vision',
      help: 'Default model',
    },
    variables: [{ name: 'SYN_MODEL' }],
    ofAccount: true,
  },
  'embed-model': {
    field: {
      kind: 'model',
      aliases: false,
      default: 'the only one that the service lists',
      help: 'Default embedding model',
    },
    variables: [{ name: 'SYN_EMBED_MODEL' }],
    ofAccount: true,
  },
  'any-model': {
    field: { kind: 'boolean', default: false, help: 'Accept any model name' },
    ofAccount: true,
    hidden: true,
  },
  fallback: { field: { kind: 'boolean', default: false, help: 'Whether --fallback, without models, is the default' } },
  'on-limit': { field: { ...limitOptions.onLimit, help: 'What to do on a terminal when the quota is used up' } },
  save: {
    field: { ...sessionOptions.save, default: true, help: 'Save conversations held on a terminal, and embeddings' },
  },
  timeout: { field: globalOptions.timeout, option: 'timeout' },
  retries: { field: globalOptions.retries, option: 'retries' },
  'allow-http': { field: { ...globalOptions.allowHttp, default: false }, option: 'allowHttp' },
  color: {
    field: {
      kind: 'text',
      choices: globalOptions.color.choices,
      default: globalOptions.color.default,
      help: 'When to use color; auto: on a terminal',
    },
    option: 'color',
    variables: [
      { name: 'NO_COLOR', convert: () => 'never' },
      { name: 'FORCE_COLOR', convert: (text) => (text === '0' || text === 'false' ? 'never' : 'always') },
    ],
    convert: (value) => (String(value) === 'true' ? 'always' : String(value) === 'false' ? 'never' : value),
  },
  theme: {
    field: {
      kind: 'text',
      choices: ['auto', 'light', 'dark', 'none'],
      default: 'auto',
      help: 'Colors of Markdown for a light or dark background, or none',
    },
  },
  status: { field: { kind: 'boolean', default: true, help: 'Show the status row of the chat' } },
  notify: {
    field: { kind: 'text', default: 'auto', help: 'Notify of late answers: auto, off, bell or a command' },
    convert: (value) => ({ on: 'auto', true: 'auto', false: 'off' })[String(value).toLowerCase()] ?? value,
  },
  accessible: {
    field: { kind: 'boolean', default: false, help: 'Write for a screen reader: by the paragraph, drawing nothing' },
    variables: [{ name: 'ACCESSIBLE', convert: (text) => String(!/^(?:0|no|false)$/i.test(text)) }],
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settingSpecs
export type SettingValue<Name extends SettingName> = NonNullable<
  Values<{ value: (typeof settingSpecs)[Name]['field'] }>['value']
>

export const settingNames = Object.keys(settingSpecs) as SettingName[]

/** The names that help, completion and errors list. */
export const listedSettingNames = settingNames.filter((name) => !(settingSpecs[name] as Setting).hidden)

/** The spec of a setting. @param anyModel The setting `any-model` of the profile. */
export function settingSpec(name: SettingName, anyModel: boolean): Setting {
  const spec: Setting = settingSpecs[name]
  return anyModel ? { ...spec, ...acceptingAnyModel({ field: spec.field }) } : spec
}

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settingSpecs, name)
}

/** Masks words that look like a key, as in `echo sk-…`: long, with letters and digits. */
function maskLikelyKeys(command: string): string {
  return command.replace(/\bsk-[^\s'"]{5,}|(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{16,}/gi, maskedKey)
}

function checkProfileName(text: string, where: string): string {
  if (/^[\w-]+$/.test(text)) return text
  throw new UsageError(`${where}: ${quote(text)} is not a valid profile name; expected letters, digits, _ and -`)
}

/** Parses and checks a value from an argument or the environment. @param where Names it in errors. @throws UsageError */
export function parseSettingValue(spec: Setting, text: string, where: string): AnySettingValue {
  return checkSettingValue(spec, kindOf(spec.field).fromText(spec.field, text), where, true)
}

/**
 * @param isText Whether the value was parsed from a text, of which more is accepted.
 * @returns the normalized value.
 * @throws UsageError. It never shows a secret.
 */
export function checkSettingValue(spec: Setting, given: unknown, where: string, isText = false): AnySettingValue {
  const value = spec.convert ? spec.convert(given) : given
  const problem = checkKind(spec.field, value, isText)
  if (problem) throw invalidValue(where, spec.secret ? { ...problem, found: 'the value' } : problem)
  if (value === '') throw invalidValue(where, { path: [], found: 'an empty value', expected: 'text' })
  return typeof value === 'string' && spec.normalize ? spec.normalize(value, where) : (value as AnySettingValue)
}
