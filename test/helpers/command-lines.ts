/**
 * A row for each command, with which tests try them all: operations, `--curl`, options that take JSON, any and wrong replies,
 * hostile text, and exit statuses. The compiler asks for the row of a new command.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Operation, operations } from '../../src/api/operations.ts'
import type { CommandName } from '../../src/cli/registry.ts'
import { fixture, type Family } from './fixtures.ts'
import { emptyFolder } from './run-syn.ts'
import { events, json, type Answer } from './service.ts'

/** In a row it stands for any text of the user. */
export const anyText = 'hi'

interface Exit {
  readonly argv: readonly string[]
  /** In order, as for `startService`. */
  readonly answers?: readonly Answer[]
  readonly code: number
}

interface CommandSample {
  /** Values for options that take JSON, by flag (default: those of fields/documents.test.ts). */
  readonly documents?: Readonly<Record<string, unknown>>
  /** Runs that end with a status of its page that neither a refused command line nor a reply with status 400 to 500 has. */
  readonly exits?: readonly Exit[]
}

const prices = { data: [{ id: 'syn:large:text', pricing: { prompt: '1', completion: '1' } }] }
const tooExpensive: Exit = { argv: ['--max-cost', '0.01'], answers: [json(prices)], code: 8 }

/** A command that sends an operation. */
interface RequestSample extends CommandSample {
  readonly operation: Operation
  /** Arguments with which it sends one request, and which any of its options may precede. */
  readonly argv: readonly string[]
  /** How its replies are shown. */
  readonly formats: readonly (readonly string[])[]
  /** Keys and values of its requests and replies, separated by spaces: JSON of them gets past the first checks. */
  readonly words: string
  /** Fields without a flag for JSON that take it with `-p`. */
  readonly params?: readonly string[]
}

interface OtherSample extends CommandSample {
  /** Arguments that it refuses with status 2, naming `anyText` in the error. */
  readonly refused: readonly string[]
  /** Arguments with which it prints a request, if it has options that take JSON. */
  readonly argv?: readonly string[]
}

const answerFormats = [[], ['--json'], ['--jsonl'], ['-u']]

const cutShort = (dialect: Family): readonly Exit[] => [
  { argv: [], answers: [events(fixture('truncated', dialect).toString('utf8'))], code: 7 },
]

const embedding = json({ data: [{ index: 0, embedding: [1] }] })

export const commandSamples: Readonly<Record<CommandName, RequestSample | OtherSample>> = {
  chat: {
    operation: operations.chat,
    argv: [anyText],
    formats: answerFormats,
    words:
      'role content type text image_url url tool_calls tool_call_id function name arguments function_call json_schema ' +
      'schema messages model stop logit_bias choices delta index finish_reason usage logprobs error id ' +
      'refusal reasoning_content user assistant tool',
    exits: [...cutShort('chat'), tooExpensive],
  },
  complete: {
    operation: operations.completions,
    argv: [anyText],
    formats: [...answerFormats, ['--n', '3']],
    words: 'prompt model n choices text index finish_reason logprobs usage id error stop',
    params: ['prompt', 'n'],
    exits: cutShort('completions'),
  },
  embed: {
    operation: operations.embeddings,
    argv: ['-m', 'hf:a/b', anyText],
    formats: [[], ['--json'], ['--format', 'csv'], ['-u']],
    words: 'data index embedding usage prompt_tokens model object list error',
    params: ['input'],
    exits: [{ argv: ['--batch-size', '1', 'text'], answers: [embedding, json({}, 500)], code: 7 }],
  },
  messages: {
    operation: operations.messages,
    argv: [anyText],
    formats: [...answerFormats, ['--reasoning']],
    words:
      'role content type text thinking signature redacted_thinking image source media_type data url tool_use id name ' +
      'input tool_result tool_use_id is_error input_schema properties required index delta content_block message ' +
      'partial_json stop_reason usage input_tokens output_tokens error message_start content_block_start user assistant ' +
      'content_block_delta content_block_stop message_delta message_stop ping text_delta thinking_delta object ' +
      'signature_delta input_json_delta',
    documents: { '--tool-choice': { type: 'any' } },
    exits: [...cutShort('messages'), tooExpensive],
  },
  batch: { refused: ['--shard', anyText], argv: [promptsFile()] },
  'count-tokens': {
    operation: operations.countTokens,
    argv: [anyText],
    formats: [[], ['--json']],
    words: 'input_tokens messages role content type text system tools name input_schema user assistant',
    exits: [{ argv: ['--max', '1'], answers: [json({ input_tokens: 2 })], code: 8 }],
  },
  quota: {
    operation: operations.quota,
    argv: [],
    formats: [[], ['--json'], ['--fail-below', '10%'], ['--remaining']],
    words: 'subscription search hourly limit requests renewsAt remaining max percentRemaining maxCredits $1.50',
    exits: [{ argv: ['--fail-below', '2'], answers: [json({ subscription: { requests: 9, limit: 10 } })], code: 8 }],
  },
  search: {
    operation: operations.search,
    argv: [anyText],
    formats: [[], ['--json'], ['--urls']],
    words: 'query results url title text highlights published error',
  },
  models: {
    operation: operations.models,
    argv: ['--refresh'],
    formats: [[], ['--json'], ['--ids']],
    words: 'data id name context_length pricing prompt completion hugging_face_id input_modalities image',
  },
  sessions: { refused: ['show', anyText] },
  prompts: { refused: ['show', anyText] },
  tools: {
    refused: ['run', anyText],
    exits: [{ argv: ['run', 'search', '{"query":"x"}', '--base-url', 'http://127.0.0.1:1'], code: 3 }],
  },
  login: { refused: ['--with-key', '--base-url', anyText] },
  logout: { refused: ['--profile', anyText] },
  config: { refused: ['get', anyText], exits: [{ argv: ['get', 'api-key'], code: 1 }] },
  completion: { refused: [anyText] },
  man: { refused: [anyText] },
  sandbox: { refused: ['--port', anyText] },
  similar: { refused: ['--by', anyText] },
}

/** The commands that send an operation, each with its row, in the order of the operations. */
export const requestSamples = Object.values(operations).flatMap((operation) =>
  Object.entries(commandSamples).flatMap(([command, sample]): [string, RequestSample, Operation][] =>
    'operation' in sample && sample.operation === operation ? [[command, sample, operation]] : [],
  ),
)

/** The others. */
export const otherSamples = Object.entries(commandSamples).flatMap(([command, sample]): [string, OtherSample][] =>
  'refused' in sample ? [[command, sample]] : [],
)

/** A row's arguments with another text. */
export function withText(argv: readonly string[], text: string): string[] {
  return argv.map((word) => (word === anyText ? text : word))
}

function promptsFile(): string {
  const path = join(emptyFolder(), 'prompts.txt')
  writeFileSync(path, 'hi\n')
  return path
}
