/** One row a setting. `syn config`, the order of precedence and the check of the config file are read from it. */

import { UsageError } from '../errors.ts'
import type { Field, Values } from '../fields/field.ts'
import { globalOptions, type GlobalValues } from '../fields/global-options.ts'
import { quote } from '../io/json.ts'
import { answerOptions, sessionOptions } from '../fields/request-options.ts'
import { normaliseBaseUrl } from './base-url.ts'
import { checkKey } from './key.ts'

export interface Setting {
  /** Its default holds where it is a value that the field accepts, and not words about one. */
  readonly field: Field
  /** The global option that sets it for one run. */
  readonly option?: keyof GlobalValues
  /** Environment variables that set it, the strongest first. */
  readonly variables?: readonly Variable[]
  /** Never shown, and never taken from an argument. */
  readonly secret?: true
  /** Stands at the top of the file instead of in a profile. */
  readonly top?: true
  /** Brings a text into the form that is used, or throws a UsageError that starts with `where`. */
  readonly normalise?: (text: string, where: string) => string
}

export interface Variable {
  readonly name: string
  /** What its text means as a text of the setting; itself when absent. */
  readonly meaning?: (text: string) => string
}

export const table = {
  profile: {
    field: {
      kind: 'text',
      completes: 'profile',
      help: 'Which profile is used when none is named.',
      default: 'default',
    },
    option: 'profile',
    variables: [{ name: 'SYN_PROFILE' }],
    top: true,
    normalise: checkProfileName,
  },
  'base-url': {
    field: globalOptions.baseUrl,
    option: 'baseUrl',
    variables: [{ name: 'SYN_BASE_URL' }],
    normalise: normaliseBaseUrl,
  },
  'api-key': {
    field: { kind: 'text', help: 'Key of the account.' },
    variables: [{ name: 'SYN_API_KEY' }],
    secret: true,
    normalise: checkKey,
  },
  'key-command': { field: { kind: 'text', help: 'Command whose first line of output is the key.' } },
  model: {
    field: { kind: 'model', help: 'Model that answers when none is named.' },
    variables: [{ name: 'SYN_MODEL' }],
  },
  'embed-model': {
    field: { kind: 'model', aliases: false, help: 'Model that embeds when none is named.' },
    variables: [{ name: 'SYN_EMBED_MODEL' }],
  },
  fallback: { field: answerOptions.fallback },
  save: { field: { ...sessionOptions.save, default: true, help: 'Keep conversations on a terminal.' } },
  timeout: { field: globalOptions.timeout, option: 'timeout' },
  retries: { field: globalOptions.retries, option: 'retries' },
  'allow-http': { field: { ...globalOptions.allowHttp, default: false }, option: 'allowHttp' },
  color: {
    field: globalOptions.color,
    option: 'color',
    variables: [
      { name: 'NO_COLOR', meaning: () => 'false' },
      { name: 'FORCE_COLOR', meaning: (text) => String(text !== '0' && text !== 'false') },
    ],
  },
  theme: {
    field: {
      kind: 'text',
      choices: ['auto', 'light', 'dark', 'none'],
      default: 'auto',
      help: 'Colours of Markdown on a terminal: for this background, or none.',
    },
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof table
export type SettingValue<Name extends SettingName> = NonNullable<
  Values<{ value: (typeof table)[Name]['field'] }>['value']
>

export const settingNames = Object.keys(table) as SettingName[]

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(table, name)
}

function checkProfileName(text: string, where: string): string {
  if (/^[\w-]+$/.test(text)) return text
  throw new UsageError(`${where}: ${quote(text)} is not the name of a profile; expected letters, digits, _ and -`)
}
