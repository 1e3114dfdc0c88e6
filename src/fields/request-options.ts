/** Options shared by the commands that send a request; their files pick what applies to them. */

import type { Fields } from './field.ts'

/** Of every command that sends a body. */
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
  dryRun: { kind: 'switch', help: 'Print the body instead of sending it.' },
  curl: { kind: 'switch', help: 'Print the request as a curl command instead of sending it.' },
  output: { kind: 'text', completes: 'file', short: 'o', placeholder: 'FILE', help: 'Write the answer to a file.' },
  json: { kind: 'switch', help: "Print the service's whole answer as one JSON document." },
} as const satisfies Fields

/** Of the commands whose answer is generated text. */
export const textOptions = {
  jsonl: { kind: 'switch', help: "Print the service's chunks as they arrive, one a line." },
  extract: { kind: 'switch', short: 'x', help: 'Print only the first fenced code block of the answer.' },
  extractLast: { kind: 'switch', help: 'Print only the last fenced code block of the answer.' },
  reasoning: { kind: 'boolean', help: 'Show the reasoning on standard error; the default on a terminal.' },
  usage: {
    kind: 'switch',
    short: 'u',
    help: 'Tell tokens, times, cost and quota after the answer, on standard error.',
  },
  fallback: {
    kind: 'boolean',
    help: 'When the model was rotated out, ask the alias of its category instead, and say so.',
  },
} as const satisfies Fields

/** Of those whose answer is Markdown. */
export const answerOptions = {
  ...textOptions,
  raw: { kind: 'switch', help: 'Show Markdown as it is, also on a terminal.' },
} as const satisfies Fields

/** Which conversation a request is part of. */
export const sessionOptions = {
  continue: { kind: 'switch', short: 'c', help: 'Go on with the latest conversation.' },
  session: {
    kind: 'text',
    completes: 'conversation',
    placeholder: 'NAME|ID',
    help: 'Go on with this conversation; where there is none of this name, one begins.',
  },
  save: {
    kind: 'boolean',
    help: 'Keep the conversation, or not; unasked it is kept when the answer goes to a terminal.',
  },
} as const satisfies Fields

/** Where a prompt comes from. */
export const inputOptions = {
  system: {
    kind: 'texts',
    file: true,
    short: 's',
    placeholder: 'TEXT|@FILE',
    help: 'Instruction placed first; repeat for several.',
  },
  file: {
    kind: 'texts',
    completes: 'file',
    short: 'f',
    placeholder: 'PATH',
    help: 'Add a text file to the prompt; repeat for several.',
  },
  image: {
    kind: 'texts',
    completes: 'file',
    short: 'i',
    placeholder: 'PATH|URL|-',
    help: 'Add an image: a path, an address, a data URI, or - for standard input; repeat for several.',
  },
  stdin: { kind: 'boolean', help: 'Read standard input, or never; by default a pipe or a file is read.' },
} as const satisfies Fields
