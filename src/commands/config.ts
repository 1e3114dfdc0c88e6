import { defineCommand, type Argument } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { FailedError, UsageError } from '../errors.ts'
import type { Fields } from '../fields/field.ts'
import { suggestion } from '../fields/nearest.ts'
import { writeText } from '../io/io.ts'
import { sanitizeJson } from '../io/safe-text.ts'
import { editDocument, removeSetting, storeSetting } from '../settings/change.ts'
import {
  isSettingName,
  listedSettingNames,
  settingNames,
  settingsTable,
  type Setting,
  type SettingName,
} from '../settings/rows.ts'
import { largestOf } from '../io/arrays.ts'

const listOptions = {
  json: { kind: 'switch', everyday: true, help: 'Print as JSON' },
} as const satisfies Fields

const listExamples = [
  ['List all settings', 'syn config list'],
  ['List the settings of another profile', 'syn config list --profile work'],
] as const

const name = argumentOf(listedSettingNames)
/** Secrets are stored by `syn login` only. */
const settable = listedSettingNames.filter((setting) => !(settingsTable[setting] as Setting).secret)
const rows: Fields = Object.fromEntries(settable.map((setting) => [setting, settingsTable[setting].field]))

export default defineCommand({
  description:
    'Without a subcommand, list all settings. A flag overrides the environment, the environment overrides the profile, ' +
    'and the profile overrides the default. The API key is never shown; syn login stores it.',
  options: listOptions,
  examples: [...listExamples, ['Set the model', 'syn config set model syn:large:text']],
  run: list,

  subcommands: {
    list: {
      summary: 'List all settings and where each comes from',
      options: listOptions,
      examples: [...listExamples, ['Print as JSON', 'syn config list --json']],
      run: list,
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
      arguments: [argumentOf(settable), { name: 'value', help: 'New value', rows }],
      examples: [
        ['Set the model', 'syn config set model syn:large:text'],
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
        ['Back up the file', 'cp "$(syn config path)" config.bak'],
      ],
      run: async ({ settings, io }) => writeText(io.out, `${settings.path}\n`),
    },
    edit: {
      summary: 'Edit the config file in $VISUAL or $EDITOR',
      examples: [
        ['Edit', 'syn config edit'],
        ['Edit with nano', 'EDITOR=nano syn config edit'],
        ['Edit with VS Code', "VISUAL='code --wait' syn config edit"],
      ],
      run: edit,
    },
  },
})

function argumentOf(choices: readonly SettingName[]): Argument {
  return { name: 'name', help: `Setting: ${choices.join(', ')}`, required: true, choices }
}

async function list({ options, settings, io }: CommandContext<Fields, typeof listOptions>): Promise<void> {
  const rows = settingNames
    .map((setting) => ({ name: setting, ...settings.get(setting) }))
    .filter((row) => listedSettingNames.includes(row.name) || row.source !== 'default')
  if (options.json) {
    const entries = rows.map((row) => [row.name, { value: row.value ?? null, source: row.source ?? null }])
    return writeText(io.out, `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`, sanitizeJson)
  }
  const cells = rows.map((row) => [row.name, String(row.value ?? ''), row.source ?? 'not set'])
  const widths = [0, 1].map((column) => largestOf(cells.map((cell) => cell[column]?.length ?? 0)))
  const lines = cells.map((cell) =>
    io.out.isTerminal
      ? cell
          .map((text, column) => text.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()
      : cell.join('\t'),
  )
  await writeText(io.out, `${lines.join('\n')}\n`)
}

async function get({ words, settings, io }: CommandContext): Promise<void> {
  const setting = settingName(words)
  const found = settings.get(setting)
  if (!found) throw new FailedError(`${setting} is not set`)
  await writeText(io.out, `${found.value}\n`)
}

async function set({ words, settings, notices }: CommandContext): Promise<void> {
  await notices.info(await storeSetting(settings, settingName(words), words[1]))
}

async function unset({ words, settings, notices }: CommandContext): Promise<void> {
  await notices.info(await removeSetting(settings, settingName(words)))
}

async function edit({ settings, notices, io }: CommandContext): Promise<void> {
  const hasChanged = await editDocument(settings.path, (text) => notices.info(text), io)
  await notices.info(hasChanged ? `saved ${settings.path}` : `${settings.path} is unchanged`)
}

function settingName([word = '']: readonly string[]): SettingName {
  if (isSettingName(word)) return word
  throw new UsageError(`unknown setting ${JSON.stringify(word)}${suggestion(word, listedSettingNames)}`, {
    hint: `available: ${listedSettingNames.join(', ')}`,
  })
}
