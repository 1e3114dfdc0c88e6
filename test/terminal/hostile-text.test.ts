/**
 * Text of the service, of files and of the command line on a terminal: syn's own escape sequences are the only ones, and in
 * a pipe the text passes. Each command has a row for each way in which it prints such text.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { encodeLine } from '../../src/batch/answers/line.ts'
import { encodeRun } from '../../src/batch/answers/line.ts'
import type { AnyCommand } from '../../src/command.ts'
import { otherSamples, requestSamples, withText } from '../helpers/command-lines.ts'
import { commands } from '../helpers/commands.ts'
import { homeWithConversations } from '../helpers/conversations.ts'
import { harmfulIn, hostile, hostileEnd, hostileError, hostilePart, hostileService } from '../helpers/hostile.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { share } from '../helpers/samples.ts'
import { type Answer, json, startService } from '../helpers/service.ts'
import { storedRun } from '../helpers/batch.ts'
import { toolsFile } from '../helpers/tools.ts'

interface Row {
  readonly what: string
  readonly argv: readonly string[]
  readonly answer?: Answer
  readonly stdin?: string
  readonly columns?: number
  readonly env?: Readonly<Record<string, string>>
  /** Whether the borders of a table are drawn with escape sequences. */
  readonly isDrawn?: boolean
  /** Whether a pipe gets none of the text. */
  readonly isTerminalOnly?: boolean
}

const id = '20261121-090000-aaaaaa'

/** A home with a conversation, settings and files full of it. */
function hostileHome(): string {
  const home = homeWithConversations({ id, name: hostile, turns: [[hostile, `# ${hostile}\n\n${hostile}`]] })
  mkdirSync(join(home, '.config', 'syn', 'prompts'), { recursive: true })
  const head = `---\ndescription: ${hostile}\n---\n${hostile}`
  writeFileSync(join(home, '.config', 'syn', 'prompts', 'review.md'), head)
  const profile = { model: hostile, 'any-model': true, 'key-command': hostile }
  const config = { version: 1, profiles: { default: profile, [hostile]: {} } }
  writeFileSync(join(home, '.config', 'syn', 'config.json'), JSON.stringify(config), { mode: 0o600 })
  writeFileSync(join(home, hostile), 'text')
  return home
}

const home = hostileHome()
const file = join(home, hostile)
const other = join(home, 'other.txt')
/** What `other` has: one line. */
const line = hostile.replace('\r', '')
writeFileSync(other, line)
const embedder = ['-m', 'hf:embedder']

/** What `syn batch` finds: recorded answers, of other settings and of none of the rows, and results that it did not write. */
const run = join(home, 'run.jsonl')
const noResults = join(home, `${hostile}.jsonl`)
writeBatchFiles()

const hostileTools = toolsFile({
  tools: { t: { description: hostile, command: ['true'] } },
  mcpServers: { [hostile]: { command: hostile, args: [hostile] } },
})

function writeBatchFiles(): void {
  const started = encodeLine(encodeRun({ ...storedRun, input: hostile, settings: { [hostile]: '0' } }))
  const response = { status_code: 200, body: { choices: [{ message: { content: hostile } }] } }
  const record = encodeLine({ hash: '0'.repeat(32) }, JSON.stringify({ response, error: null }))
  writeFileSync(`${run}.answers`, `\n${started}${record}`)
  writeFileSync(`${noResults}.answers`, `\n${started}`)
  writeFileSync(noResults, 'no result\n')
}

/** @param argv In one text, `H` is the hostile text and `FILE` a file of this name. */
function row(what: string, argv: string | readonly string[], others: Partial<Row> = {}): Row {
  const words: Readonly<Record<string, string>> = { H: hostile, FILE: file, OTHER: other, ID: id }
  const split =
    typeof argv === 'string' ? argv.split(' ').map((word) => words[word] ?? word.replace(/(?<=[./])H$/, hostile)) : argv
  return { what, argv: split, ...others }
}

const failing = { answer: hostileError }

/** Rows of `syn batch`, from standard input. */
const prompt = { stdin: 'x\n' }

function bodyLine(body: object): { stdin: string } {
  const line = { custom_id: hostile, url: '/v1/chat/completions', body: { messages: [], ...body } }
  return { stdin: `${JSON.stringify(line)}\n` }
}

function schemaOf(property: string): string {
  return JSON.stringify({ type: 'object', properties: { [property]: {} }, required: [property] })
}

/** An error of each command: of the service, or of the command line. */
const samples = [
  ...requestSamples.map(([command, { argv }]) => row('an error', [command, ...withText(argv, hostile)], failing)),
  ...otherSamples.map(([command, { refused }]) => row('an error', [command, ...withText(refused, hostile)])),
]

const rows: readonly Row[] = [
  ...samples,
  row('the answer', 'chat x', { isDrawn: true }),
  row('the answer as written', 'chat x --raw'),
  row('the answer on a simple terminal', 'chat x', { env: { TERM: 'dumb' } }),
  row('the answer in color', 'chat x --reasoning', {
    isDrawn: true,
    env: { TERM: 'xterm-256color', FORCE_HYPERLINK: '1' },
  }),
  row('code', 'chat x --extract'),
  row('a call of a tool', 'chat x --allow search --max-steps 2', { isDrawn: true }),
  row('a curl command', 'chat H --curl'),
  row('JSON', 'chat x --json'),
  row('the usage', 'chat x --usage -m H', { isDrawn: true }),
  row('the log', 'chat x --debug', failing),
  row('an error in an answer', 'chat x --retries 0', { answer: hostileEnd }),
  row('a model that is gone', 'chat x -m H', { answer: json({ error: hostile }, 404) }),
  row('an option', ['chat', `--x${hostile}`]),
  row('the text', 'complete x'),
  row('texts', ['embed', ...embedder, hostile], { isTerminalOnly: true }),
  row('a table', ['embed', ...embedder, '--with-text', '--format', 'csv', hostile]),
  row('a comparison', ['embed', ...embedder, '--compare', hostile, 'x'], { isTerminalOnly: true }),
  row('the answer', 'messages x'),
  row('events', 'messages x --jsonl'),
  row('answers', 'batch --lines', prompt),
  row('a table', ['batch', '--lines', '--format', 'csv'], prompt),
  row('the header of a table', ['batch', '--lines', '--format', 'csv', '--schema', schemaOf(hostile)], prompt),
  row('requests', 'batch --lines --dry-run', { stdin: `${hostile}\n`.replace('\r', '') }),
  row('an unknown field', 'batch --dry-run', bodyLine({ [hostile]: 1 })),
  row('rows with the same custom_id', ['batch', '-o', join(home, 'twice.jsonl')], {
    stdin: bodyLine({}).stdin.repeat(2),
  }),
  // A slow run draws its progress.
  row('a run', ['batch', '--lines', '-o', join(home, `${hostile}1`)], { ...prompt, isDrawn: true }),
  row('a run that is stopped', ['batch', '--lines', '-o', join(home, `${hostile}3`)], {
    ...prompt,
    isDrawn: true,
    answer: json({ error: hostile }, 401),
  }),
  row('results of another program', ['batch', '--lines', '-o', noResults], prompt),
  row('settings that differ', ['batch', '--lines', '-o', run], prompt),
  row('answers of no row', ['batch', '--lines', '-o', run, '--offline'], prompt),
  row('the input of a run', ['batch', 'status', run]),
  row('files', 'count-tokens -f FILE -f OTHER'),
  row('the table', 'quota'),
  row('a block', 'quota --block H --fail-below 99%'),
  row('results', 'search x'),
  row('results with links', 'search end', { env: { FORCE_HYPERLINK: '1', TERM: 'xterm-256color' } }),
  row('a result that is no web page', 'search x --open 1', { answer: json({ results: [{ url: hostile }] }) }),
  row('the list', 'models list'),
  row('a subcommand', 'models H'),
  row('a model', ['models', 'show', `hf:${hostile}`]),
  row('the default', 'sessions'),
  row('the list', 'sessions list'),
  row('a conversation', 'sessions show ID'),
  row('matches', 'sessions search title'),
  row('Markdown', 'sessions export ID'),
  row('one removed', 'sessions rm --yes ID'),
  row('the name', ['sessions', 'rename', id, `x${hostile}`]),
  row('descriptions', 'prompts'),
  row('the list', 'prompts list'),
  row('a line of none', 'prompts add new', { stdin: `---\n${hostile}\n---\n` }),
  row('a prompt', 'prompts show review'),
  row('a name that is none', 'prompts edit H'),
  row('a shell that is none', 'completion install H'),
  row('the path of a script', 'completion install zsh', { env: { ZDOTDIR: `/${hostile}` } }),
  row('one to be removed', 'prompts rm --yes H'),
  row('a value that is missing', ['chat', '-t', `{{${hostile}}}`, 'hi']),
  row('the list of the file', ['tools', '--tools-file', hostileTools]),
  row('a tool', ['tools', 'list', 't', '--tools-file', hostileTools]),
  row('a result', ['tools', 'run', 'search', '{"query":"x"}']),
  row('an error in the file', ['tools', '--tools-file', toolsFile({ tools: { [hostile]: {} } })]),
  row('a subcommand', 'config H'),
  row('settings', 'config list'),
  row('profiles', 'config profiles'),
  row('a setting', 'config get model'),
  row('a value', 'config set model H'),
  row('a setting that is none', 'config unset H'),
  row('the path', 'config path', { env: { XDG_CONFIG_HOME: file.slice(0, -1) } }),
]

/** Starts a program: `hostile-text.e2e.test.ts` tries it. */
const others = ['config edit']

async function runOn(
  { argv, answer = hostileService, stdin, columns, env }: Row,
  isTerminal: boolean,
): Promise<string> {
  await using service = await startService(answer)
  // A home of its own: some rows change it.
  const own = argv.includes(file) ? home : hostileHome()
  const outcome = await runSyn([...argv], {
    isTerminal,
    env: { HOME: own, TZ: 'UTC', SYN_FALLBACK: 'false', ...service.env, ...env },
    ...(stdin !== undefined && { stdin }),
    ...(columns !== undefined && { columns }),
  })
  // The command does its work: the hostile settings are not what it fails with.
  expect(outcome.err).not.toContain('config.json: $.')
  return outcome.out + outcome.err
}

const titled = rows.map((one): [string, Row] => [
  `${one.argv.filter((word) => /^[ -~]+$/.test(word)).join(' ')}: ${one.what}`,
  one,
])

test.each(titled)('on a terminal, %s', async (_title, one) => {
  const output = await runOn(one, true)
  expect(harmfulIn(output, one.isDrawn)).toEqual([])
  // The text is there, and visible.
  expect(output).toMatch(/\ufffd|␛|\\u001b|\\x1b/)
})

// What passes into a pipe is not read for escape sequences: a part of the rows shows it.
test.each(
  share(
    titled.filter(([, one]) => !one.isTerminalOnly),
    0,
    8,
  ),
)('in a pipe, %s', async (_title, one) => {
  expect(await runOn(one, false)).toContain(hostilePart)
})

test('every command has a row', () => {
  const paths = commands.flatMap(({ name, definition }) => pathsOf(name, definition))
  const pathOf = ({ argv }: Row) => paths.findLast((path) => `${argv.join(' ')} `.startsWith(`${path} `))
  const tried = new Set(rows.map(pathOf))
  expect(paths.filter((path) => !tried.has(path))).toEqual(others)
})

/** The command and its subcommands. */
function pathsOf(name: string, { subcommands = {} }: AnyCommand): string[] {
  return [name, ...Object.entries(subcommands).flatMap(([one, definition]) => pathsOf(`${name} ${one}`, definition))]
}

test('carriage returns and escapes in an answer reach a pipe byte for byte', async () => {
  expect(await runOn(row('the text', 'complete x'), false)).toBe(`${hostile}\n`)
})
