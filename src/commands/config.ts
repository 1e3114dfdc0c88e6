import { defineCommand, type Argument } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { FailedError, UsageError } from '../errors.ts'
import type { Fields } from '../fields/field.ts'
import { jsonOption } from '../fields/request-options.ts'
import { suggestion } from '../fields/suggestion.ts'
import { writeText } from '../io/io.ts'
import { sanitizeJson } from '../io/text/safe-text.ts'
import { removeSetting, storeSetting } from '../settings/change.ts'
import {
  type AnySettingValue,
  isSettingName,
  listedSettingNames,
  settingNames,
  settingSpecs,
  type Setting,
  type SettingName,
} from '../settings/setting-specs.ts'
import type { Settings } from '../settings/settings.ts'
import { writeColumns } from '../terminal/tab-separated.ts'

const listExamples = [
  ['List all settings', 'syn config list'],
  ['List the settings of another profile', 'syn config list --profile work'],
] as const

const name = argumentOf(listedSettingNames)
/** Secrets are stored by `syn login` only. */
const settable = listedSettingNames.filter((setting) => !(settingSpecs[setting] as Setting).secret)
const specs: Fields = Object.fromEntries(settable.map((setting) => [setting, settingSpecs[setting].field]))

export default defineCommand({
  description:
    'Without a subcommand, list all settings. A flag overrides the environment, the environment overrides the profile, ' +
    'and the profile overrides the default. The API key is never shown; syn login stores it.',
  options: jsonOption,
  examples: [...listExamples, ['Set the model', 'syn config set model syn:large:text']],
  run: list,

  subcommands: {
    list: {
      summary: 'List all settings and where each comes from',
      options: jsonOption,
      examples: [...listExamples, ['Print as JSON', 'syn config list --json']],
      run: list,
    },
    profiles: {
      summary: 'Print the names of all profiles',
      examples: [
        ['List all profiles', 'syn config profiles'],
        ['Print the one in use', 'syn config get profile'],
        ['List the settings of one', 'syn config list --profile work'],
      ],
      run: async ({ settings, notices, io }) => {
        const profiles = Object.keys(settings.document.profiles)
        await writeColumns(
          profiles.map((one) => [one]),
          io.out,
        )
        if (profiles.length === 0) await notices.info('no profile is stored; use syn login to create one')
      },
    },
    get: {
      summary: 'Print the value of a setting',
      arguments: [name],
      examples: [
        ['Print the base URL in use', 'syn config get base-url'],
        ['Print a setting of another profile', 'syn config get model --profile work'],
        ['Use a setting in a script', 'model=$(syn config get model)'],
      ],
      run: get,
    },
    set: {
      summary: 'Store a setting in the profile',
      description: 'Settings that are true or false also take yes, no, on and off.',
      arguments: [argumentOf(settable), { name: 'value', help: 'New value', specs }],
      examples: [
        ['Set the model', 'syn config set model syn:large:text'],
        ['Do not save conversations', 'syn config set save no'],
        ['Read PDF files', "syn config set readers.pdf 'pdftotext -layout {} -'"],
        ['Set a timeout of ten minutes for one profile', 'syn config set timeout 600 --profile work'],
        ['Switch to another profile', 'syn config set profile work'],
      ],
      run: set,
    },
    unset: {
      summary: 'Remove a setting from the profile',
      arguments: [name],
      examples: [
        ['Go back to the default', 'syn config unset timeout'],
        ['Go back to the default in another profile', 'syn config unset model --profile work'],
        ['Switch back to the default profile', 'syn config unset profile'],
      ],
      run: unset,
    },
    path: {
      summary: 'Print the path of the config file',
      examples: [
        ['Print the path', 'syn config path'],
        ['Read a stored value', 'jq .profiles.default.model "$(syn config path)"'],
        ['Edit the file', '$EDITOR "$(syn config path)"'],
      ],
      run: async ({ settings, io }) => writeText(io.out, `${settings.path}\n`),
    },
  },
})

function argumentOf(choices: readonly SettingName[]): Argument {
  return { name: 'name', help: `Setting: ${choices.join(', ')}, readers.EXTENSION`, required: true, choices }
}

async function list(context: CommandContext<Fields, typeof jsonOption>): Promise<void> {
  const { options, settings, notices, io } = context
  // Each command names them on a terminal.
  if (!io.err.isTerminal) for (const text of settings.unknownKeys()) await notices.info(text)
  const rows = [...settingNames, ...settings.readers.keys()]
    .map((setting) => ({ name: setting, ...effective(setting, settings) }))
    .filter((row) => row.source !== 'default' || listedSettingNames.some((name) => name === row.name))
  if (options.json) {
    const entries = rows.map(({ name: setting, ...row }) => [setting, row])
    return writeText(io.out, `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`, sanitizeJson)
  }
  await writeColumns(
    rows.map((row) => [row.name, String(row.value ?? row.default ?? ''), row.source ?? 'not set']),
    io.out,
  )
}

/** `value` is null if nothing is set and the default is a description. */
function effective(
  setting: string,
  settings: Settings,
): { value: AnySettingValue | null; source: string | null; default: AnySettingValue | null } {
  if (!isSettingName(setting)) {
    settings.checkProfile()
    const command = settings.readers.get(setting) ?? null
    return { value: command, source: command === null ? null : 'config file', default: null }
  }
  const { default: usual = null } = (settingSpecs[setting] as Setting).field
  const { value = null, source = usual === null ? null : 'default' } = settings.get(setting) ?? {}
  return { value, source, default: usual }
}

async function get(context: CommandContext): Promise<void> {
  const { words, settings } = context
  const setting = settingName(words)
  const { value, default: usual } = effective(setting, settings)
  if (value === null) throw new FailedError(`${setting} is not set${usual === null ? '' : ` (default: ${usual})`}`)
  await writeText(context.io.out, `${value}\n`)
}

async function set({ words, settings, notices }: CommandContext): Promise<void> {
  settings.checkMayChange()
  await notices.info(await storeSetting(settings, settingName(words), words[1]))
}

async function unset({ words, settings, notices }: CommandContext): Promise<void> {
  settings.checkMayChange()
  await notices.info(await removeSetting(settings, settingName(words)))
}

function settingName([word = '']: readonly string[]): string {
  if (isSettingName(word) || word.startsWith('readers.')) return word
  throw new UsageError(`unknown setting ${JSON.stringify(word)}${suggestion(word, listedSettingNames)}`, {
    hint: `available: ${listedSettingNames.join(', ')}, readers.EXTENSION`,
  })
}
