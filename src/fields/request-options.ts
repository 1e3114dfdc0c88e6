/** Options shared by the commands that send a request; their files pick what applies to them. */

import type { Fields } from './field.ts'

/** For every command that sends a body. */
export const requestOptions = {
  param: {
    kind: 'texts',
    short: 'p',
    placeholder: 'KEY=VALUE',
    help: 'Add any field to the body, unchecked; JSON where it parses as JSON.',
  },
  body: {
    kind: 'text',
    completes: 'file',
    placeholder: 'FILE',
    help: 'Start from this JSON body; flags win over --param over --body.',
  },
  dryRun: { kind: 'switch', exclusive: ['curl'], help: 'Print the body instead of sending it.' },
  curl: { kind: 'switch', help: 'Print the request as a curl command instead of sending it.' },
  output: {
    kind: 'text',
    completes: 'file',
    short: 'o',
    placeholder: 'FILE',
    everyday: true,
    help: 'Write the answer to a file.',
  },
  json: { kind: 'switch', everyday: true, help: "Print the service's whole answer as one JSON document." },
} as const satisfies Fields

/** For the commands whose answer is generated text. */
export const textOptions = {
  jsonl: {
    kind: 'switch',
    exclusive: ['json', 'extract', 'extractLast'],
    help: "Print the service's chunks as they arrive, one a line.",
  },
  extract: {
    kind: 'switch',
    short: 'x',
    exclusive: ['json', 'extractLast'],
    everyday: true,
    help: 'Print only the first fenced code block of the answer.',
  },
  extractLast: {
    kind: 'switch',
    exclusive: ['json'],
    help: 'Print only the last fenced code block of the answer.',
  },
  reasoning: { kind: 'boolean', default: 'on a terminal', help: 'Show the reasoning on standard error.' },
  usage: {
    kind: 'switch',
    short: 'u',
    everyday: true,
    help: 'Tell tokens, times, cost and quota after the answer, on standard error.',
  },
  fallback: {
    kind: 'boolean',
    default: false,
    help: 'When the model was rotated out, ask the alias of its category instead, and say so.',
  },
} as const satisfies Fields

/** For the commands whose answer is Markdown. */
export const answerOptions = {
  ...textOptions,
  raw: { kind: 'switch', help: 'Show Markdown as it is, also on a terminal.' },
} as const satisfies Fields

/** Select the conversation that a request belongs to. */
export const sessionOptions = {
  continue: {
    kind: 'switch',
    short: 'c',
    exclusive: ['session'],
    everyday: true,
    help: 'Go on with the latest conversation.',
  },
  session: {
    kind: 'text',
    completes: 'conversation',
    placeholder: 'NAME|ID',
    help: 'Go on with this conversation; where there is none of this name, one begins.',
  },
  save: {
    kind: 'boolean',
    default: 'when the answer goes to a terminal',
    help: 'Keep the conversation.',
  },
} as const satisfies Fields

/** The sources of a prompt. */
export const inputOptions = {
  system: {
    kind: 'texts',
    file: true,
    short: 's',
    placeholder: 'TEXT|@FILE',
    everyday: true,
    help: 'Instruction placed first; repeat for several.',
  },
  file: {
    kind: 'texts',
    completes: 'file',
    short: 'f',
    placeholder: 'PATH',
    everyday: true,
    help: 'Add a text file to the prompt; repeat for several.',
  },
  image: {
    kind: 'texts',
    completes: 'file',
    short: 'i',
    placeholder: 'PATH|URL|-',
    everyday: true,
    help: 'Add an image: a path, an address, a data URI, or - for standard input; repeat for several.',
  },
  stdin: { kind: 'boolean', default: 'read a pipe or a file', help: 'Read or ignore standard input.' },
} as const satisfies Fields
