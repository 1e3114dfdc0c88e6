/** Options shared by the commands that send a request; their files pick what applies to them. */

import type { Field, Fields } from './field.ts'
import { amount, delimiter, time } from './notations.ts'

/** For every command that sends a body. */
export const requestOptions = {
  param: {
    kind: 'texts',
    short: 'p',
    placeholder: 'KEY=VALUE',
    help: 'Add any field to the request body, unchecked; VALUE is JSON if it parses, else a string',
  },
  body: {
    kind: 'object',
    help: 'Start from this body; flags override --param, which overrides --body',
  },
  dryRun: { kind: 'switch', exclusive: ['curl'], help: 'Print the request body instead of sending it' },
  curl: { kind: 'switch', help: 'Print the request as a curl command instead of sending it' },
  output: {
    kind: 'text',
    completes: 'file',
    short: 'o',
    placeholder: 'FILE',
    everyday: true,
    help: 'Write to a file instead of stdout',
  },
  json: { kind: 'switch', everyday: true, help: 'Print the full response as JSON' },
} as const satisfies Fields

/** For the commands that only print. */
export const jsonOption = { json: { kind: 'switch', everyday: true, help: 'Print as JSON' } } as const satisfies Fields

/** For the commands whose answer may be JSON. */
export const formatOptions = {
  schema: {
    kind: 'object',
    exclusive: ['jsonObject', 'response_format'],
    everyday: true,
    help: 'Request JSON that matches this schema, and validate it',
  },
  jsonObject: { kind: 'switch', exclusive: ['response_format'], help: 'Request a JSON object' },
} as const satisfies Fields

/** For the commands that check JSON. */
export const repairOption = {
  repair: {
    kind: 'number',
    minimum: 0,
    maximum: 5,
    whole: true,
    default: 0,
    help: 'Number of times that an answer that does not match --schema is sent back with the errors',
  },
} as const satisfies Fields

/** What to do at the limit. */
export const limitOptions = {
  onLimit: { kind: 'text', choices: ['wait', 'stop'], default: 'stop', help: 'What to do when the quota is used up' },
  maxWait: { ...time, default: '6h', help: 'With --on-limit wait: the longest wait for the quota' },
} as const satisfies Fields

/** For the commands whose answer is generated text. */
export const textOptions = {
  jsonl: {
    kind: 'switch',
    exclusive: ['json', 'extract', 'extractLast'],
    help: 'Print the chunks of the response as they arrive, one per line',
  },
  extract: {
    kind: 'switch',
    short: 'x',
    exclusive: ['json', 'extractLast'],
    everyday: true,
    help: 'Print only the first code block of the answer',
  },
  extractLast: {
    kind: 'switch',
    exclusive: ['json'],
    help: 'Print only the last code block of the answer',
  },
  reasoning: { kind: 'boolean', default: 'on a terminal', help: 'Show the reasoning on stderr' },
  usage: {
    kind: 'switch',
    short: 'u',
    everyday: true,
    help: 'Print tokens, time, cost, and quota to stderr',
  },
  fallback: {
    kind: 'boolean or model',
    default: false,
    help: 'If the model was removed or is overloaded, ask this one, or the alias of its category; repeatable, in order',
  },
  ...limitOptions,
} as const satisfies Fields

/** For the commands whose answer is Markdown. */
export const answerOptions = {
  ...textOptions,
  allowCut: {
    kind: 'switch',
    help: 'With -o, -x, or --schema: take an answer that is empty or cut off at the token limit as it is, instead of failing with status 7',
  },
  raw: { kind: 'switch', help: 'Print raw Markdown, even on a terminal' },
} as const satisfies Fields

/** For the commands that call tools. */
export const toolsFileOption = {
  toolsFile: {
    kind: 'text',
    completes: 'file',
    placeholder: 'FILE',
    default: 'tools.json in the config directory',
    help: 'File with the tools',
  },
} as const satisfies Fields

const namedTools = { kind: 'texts', placeholder: 'NAME', completes: 'tool', exclusive: ['tools'] } as const

/** Tools that are run when the model calls them. */
export const toolOptions = {
  tool: {
    ...namedTools,
    short: 'T',
    help: 'Let the model call this tool, and ask before each call; repeatable',
  },
  allow: { ...namedTools, help: 'Let the model call this tool without asking; repeatable' },
  maxSteps: { kind: 'number', minimum: 1, whole: true, default: 10, help: 'Most requests for one answer' },
  maxCost: { ...amount, help: 'Stop before the requests of this run cost more than this, by the prices of syn models' },
  ...toolsFileOption,
} as const satisfies Fields

/** Select the conversation that a request belongs to. */
export const sessionOptions = {
  continue: {
    kind: 'switch',
    short: 'c',
    exclusive: ['session'],
    everyday: true,
    help: 'Continue the latest conversation',
  },
  session: {
    kind: 'text',
    completes: 'conversation',
    placeholder: 'NAME|ID',
    help: 'Continue this conversation (last: the latest), or start one with this name',
  },
  save: {
    kind: 'boolean',
    default: 'if the answer goes to a terminal',
    help: 'Save the conversation',
  },
} as const satisfies Fields

/** A prompt that is used again. */
export const promptOptions = {
  template: {
    kind: 'text',
    completes: '@file',
    short: 't',
    placeholder: 'TEXT|@FILE',
    help: 'Prompt, a stored prompt, or @ and a file; PROMPT and stdin replace {{.}} in it, or follow it',
  },
  var: { kind: 'texts', placeholder: 'NAME=VALUE', help: 'Value of {{NAME}} in --template; repeatable' },
} as const satisfies Fields

/** The sources of a prompt. */
export const inputOptions = {
  system: {
    kind: 'texts',
    file: true,
    short: 's',
    placeholder: 'TEXT|@FILE',
    everyday: true,
    help: 'System prompt; repeatable',
  },
  file: {
    kind: 'texts',
    completes: 'file',
    short: 'f',
    placeholder: 'PATH|URL',
    everyday: true,
    help: 'Add a text, lines a.ts:1-9, or a web page; repeatable',
  },
  image: {
    kind: 'texts',
    completes: 'file',
    short: 'i',
    placeholder: 'PATH|URL|-',
    everyday: true,
    help: 'Add an image: path, URL, clipboard, or - for stdin',
  },
  stdin: { kind: 'boolean', default: 'read a pipe, file or socket', help: 'Read or ignore stdin' },
} as const satisfies Fields

/** For commands that read tables. */
export const delimiterOption = {
  ...delimiter,
  default: 'a comma, or a tab for TSV',
  help: "Character between the columns of a table, such as ';' or tab",
} as const satisfies Field

/** Formats of documents: one text, or a text per line, per JSON value or per row of a table. */
export const inputFormats = ['text', 'lines', 'jsonl', 'csv', 'tsv'] as const

export const defaultColumn = 'text'

/** For commands that read many texts. */
export const recordOptions = {
  lines: {
    kind: 'switch',
    exclusive: ['inputFormat'],
    everyday: true,
    help: 'Take each line of files and stdin as a text',
  },
  inputFormat: {
    kind: 'text',
    choices: inputFormats,
    default: 'extension of the file, else text',
    help: 'Format of files and stdin: one text, one text per line, JSON Lines, or CSV or TSV with a header',
  },
  delimiter: delimiterOption,
  column: {
    kind: 'text',
    placeholder: 'NAME',
    default: `${defaultColumn}, or the only column that is not numeric`,
    help: 'Where the text is: JSON Lines key, or column name or number of a table',
  },
} as const satisfies Fields
