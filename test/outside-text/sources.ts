/**
 * Every source of text from outside, and the three rules for such text: the API key is masked where syn reports it, on a terminal
 * it has no control characters, and it takes a limited part of the memory. A new source is a row. What passes with a key in it
 * is in `api/secrets.test.ts`.
 */

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeLine } from '../../src/batch/answers/line.ts'
import { encodeRun } from '../../src/batch/answers/line.ts'
import { storedRun } from '../helpers/batch.ts'
import { delta, end } from '../helpers/chat-chunks.ts'
import { testNow } from '../helpers/clock.ts'
import { homeWithConversations, logText } from '../helpers/conversations.ts'
import { replyTo } from '../helpers/embed.ts'
import { hostile } from '../helpers/hostile.ts'
import { mebibyte } from '../helpers/large.ts'
import { quoted } from '../helpers/program.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { chatEvents, events, json, testKey, type Answer } from '../helpers/service.ts'
import { hidden, passed, reported, type Feed, type Source } from './source.ts'

const id = '20261121-090000-aaaaaa'
const conversation = `.local/share/syn/conversations/${id}.jsonl`
const index = '.local/share/syn/conversations/index.json'
const config = '.config/syn/config.json'
const ask = 'chat x --retries 0 -m hf:x'
const jsonType = { 'content-type': 'application/json' }
const eventType = { 'content-type': 'text/event-stream' }

/** An address without a service: what is asked for is stored. */
const offline = 'http://127.0.0.1:9'
const modelCache = '.cache/syn/models-http-127-0-0-1-9.json'

/** HTTP allows no other control characters in a header. */
const hostileHeader = '\u009b31m\u0085'

/** A reply with a text in a header. */
function header(name: string, status: number, text: string): Answer {
  return json({ error: 'no' }, status, { [name]: text })
}

export const sources: readonly Source[] = [
  passed(
    'a reply',
    (text) => ({ argv: 'search x', answer: json({ results: [{ url: 'https://a.b', title: text, text }] }) }),
    [
      {
        feed: (flow) => ({ argv: 'search x --retries 0', answer: flow.reply(200, jsonType, '', ' ') }),
        says: 'the reply is larger than the limit of 16 MiB',
        most: 32 * mebibyte,
      },
    ],
  ),
  reported('a reply that is text', (text) => ({ argv: 'search x --retries 0', answer: json(text) }), 'as a reply'),
  reported(
    'a web page in place of a reply',
    (text) => ({ argv: 'search x --retries 0', answer: json(`<p>${text}`, 200, { 'content-type': 'text/html' }) }),
    'as a reply',
  ),
  passed('an event', (text) => ({ argv: ask, answer: events(chatEvents(delta(text), end())) }), [
    {
      feed: (flow) => ({ argv: ask, answer: flow.reply(200, eventType, 'data: ', 'x') }),
      says: 'the service sent an event larger than the limit of 16 MiB',
      most: 40 * mebibyte,
    },
  ]),
  reported(
    'an event that is not JSON',
    (text) => ({ argv: ask, answer: events(`data: ${text.replace('\r', '')}\n\n`) }),
    'as an event',
  ),
  reported(
    'an error event',
    (text) => ({ argv: ask, answer: events(`data: ${JSON.stringify({ error: { message: text } })}\n\n`) }),
    'as an event',
  ),
  hidden(
    'the name of an error event',
    (text) => ({
      argv: 'messages x --retries 0 -m hf:x',
      answer: events(`event: ${text.replace('\r', '')}\ndata: {}\n\n`),
    }),
    'as an event',
  ),
  reported('an error', (text) => ({ argv: ask, answer: json({ error: { message: text } }, 400) }), [
    {
      feed: (flow) => ({ argv: ask, answer: flow.reply(500, { 'content-type': 'text/plain' }, '', 'Oops ') }),
      says: 'Oops Oops',
      most: 32 * mebibyte,
    },
  ]),
  reported(
    'a web page in place of an error',
    (text) => ({ argv: ask, answer: json(`<h1>${text}`, 502, { 'content-type': 'text/html' }) }),
    'as an error',
  ),
  reported(
    'any header, in the log of --debug',
    (text) => ({ argv: `${ask} --debug`, answer: header('x-note', 400, text) }),
    [
      {
        feed: () => ({ argv: ask, answer: header('x-note', 400, 'x'.repeat(100_000)) }),
        says: 'the headers of the reply are too large',
      },
    ],
    hostileHeader,
  ),
  hidden(
    'Retry-After',
    (text) => ({ argv: `${ask} --retries 0`, answer: header('retry-after', 429, text) }),
    [{ feed: () => ({ argv: ask, answer: header('retry-after', 429, '9'.repeat(5000)) }), says: '429' }],
    hostileHeader,
  ),
  hidden(
    'Content-Type',
    (text) => ({ argv: 'search x', answer: json({ results: [] }, 200, { 'content-type': text }) }),
    'as any header',
    hostileHeader,
  ),
  reported(
    'Content-Encoding',
    (text) => ({ argv: 'search x', answer: json({ results: [] }, 200, { 'content-encoding': text }) }),
    [
      {
        feed: () => ({
          argv: 'search x --retries 0',
          answer: json({ results: [] }, 200, { 'content-encoding': Array(1000).fill('gzip').join() }),
        }),
        says: 'unsupported content encoding',
      },
    ],
    hostileHeader,
  ),
  reported(
    'Location',
    (text) => ({ argv: ask, answer: header('location', 307, `http://other.example/${text}`) }),
    [{ feed: () => ({ argv: ask, answer: header('location', 307, '/again') }), says: 'too many redirects' }],
    hostileHeader,
  ),
  reported(
    'Location, in the results of a batch',
    (text) => ({
      argv: 'batch --lines --format jsonl --retries 0',
      stdin: 'x\n',
      answer: header('location', 307, `http://other.example/${text}`),
    }),
    'as any header',
    hostileHeader,
  ),
  hidden(
    'the words of a status',
    (text) => ({
      argv: ask,
      answer: (_asked, response) => void response.writeHead(400, text, jsonType).end('{}'),
    }),
    'as any header',
    hostileHeader,
  ),
  passed(
    'the name of a model',
    (text) => ({ argv: 'models', answer: json({ data: [{ id: `hf:${text}` }] }) }),
    'as a reply',
  ),
  passed(
    'the name of the model of embeddings',
    (text) => ({
      argv: 'embed x -m hf:x --json',
      answer: (asked, response) => json({ ...replyTo(asked), model: text })(asked, response),
    }),
    'as a reply',
  ),
  passed('the quota', (text) => ({ argv: 'quota', answer: json({ note: text }) }), 'as a reply'),
  passed(
    'the stored model list',
    (text) => ({
      argv: 'models',
      env: { SYN_BASE_URL: offline },
      files: {
        [modelCache]: JSON.stringify({ baseUrl: offline, saved: testNow(), value: { data: [{ id: `hf:${text}` }] } }),
      },
    }),
    [
      {
        feed: () => ({
          argv: 'models --retries 0',
          env: { SYN_BASE_URL: offline },
          files: { [modelCache]: 257 * mebibyte },
        }),
        says: 'connection refused',
      },
    ],
  ),
  passed(
    'a stored conversation',
    (text) => ({
      argv: `sessions show ${id}`,
      files: { [conversation]: logText({ id, name: text, turns: [[text, text]] }, '2026-11-21T10:00:00.000Z') },
    }),
    [{ feed: () => ({ argv: `sessions show ${id}`, files: { [conversation]: 257 * mebibyte } }), says: '256 MiB' }],
  ),
  hidden(
    'a stored conversation that is damaged',
    (text) => ({ argv: `sessions show ${id}`, files: { [conversation]: text } }),
    'as a stored conversation',
  ),
  passed(
    'the config file',
    (text) => ({
      argv: 'config list',
      files: { [config]: JSON.stringify({ profiles: { default: { model: text, 'any-model': true } } }) },
    }),
    [{ feed: () => ({ argv: 'config list', files: { [config]: 257 * mebibyte } }), says: 'larger than 256 MiB' }],
  ),
  reported(
    'an invalid value in the config file',
    (text) => ({
      argv: 'config list',
      files: { [config]: JSON.stringify({ profiles: { default: { color: text } } }) },
    }),
    'as the config file',
  ),
  passed(
    'the name of a profile',
    (text) => ({ argv: 'config profiles', files: { [config]: JSON.stringify({ profiles: { [text]: {} } }) } }),
    'as the config file',
  ),
  passed('a file', (text) => ({ argv: 'chat -f H/a --dry-run', files: { a: text } }), [
    {
      feed: () => ({ argv: 'chat -f H/a --dry-run', files: { a: 65 * mebibyte } }),
      says: 'exceeds the limit of 64 MiB of input per request',
    },
  ]),
  reported(
    'a file with JSON',
    (text) => ({ argv: 'chat x --body H/a', files: { a: JSON.stringify({ temperature: text }) } }),
    [
      {
        feed: () => ({ argv: 'chat x --body H/a', files: { a: 65 * mebibyte } }),
        says: 'exceeds the limit of 64 MiB of input per request',
      },
    ],
  ),
  reported(
    'a file with rows',
    (text) => ({
      argv: 'batch H/a.jsonl --dry-run',
      files: { 'a.jsonl': JSON.stringify({ prompt: 'x', custom_id: [text] }) },
    }),
    [
      {
        feed: () => ({ argv: 'batch H/a.jsonl --dry-run', files: { 'a.jsonl': 65 * mebibyte } }),
        says: '16 MiB',
      },
    ],
  ),
  passed('standard input', (text) => ({ argv: 'chat --dry-run', stdin: text }), [
    {
      feed: (flow) => ({ argv: 'chat --dry-run', stdin: flow.chunks('', 'x'), inputBefore: 60 * mebibyte }),
      says: 'exceeds the limit of 64 MiB of input per request',
      most: 5 * mebibyte,
    },
  ]),
  reported(
    'a key command in the config file',
    (text) => ({
      argv: 'config list',
      files: { [config]: JSON.stringify({ profiles: { default: { 'key-command': `echo ${text}` } } }) },
    }),
    'as the config file',
  ),
  reported('the name of a file', (text) => ({ argv: ['chat', '-f', `missing/${text}`] }), 'the system'),
  reported('an argument', (text) => ({ argv: ['chat', 'x', '--temperature', text] }), 'the system'),
  ...['SYN_MODEL', 'SYN_PROFILE', 'SYN_BASE_URL'].map((name) =>
    reported(`the variable ${name}`, (text) => ({ argv: 'chat x --retries 0', env: { [name]: text } }), 'the system'),
  ),
  hidden(
    'the variable HTTP_PROXY',
    (text) => ({ argv: ask, env: { SYN_BASE_URL: 'http://a.example', HTTP_PROXY: text } }),
    'the system',
  ),
  {
    what: 'the index of the conversations',
    use: 'passed',
    output: nameInIndex,
    hostile,
    beyond: [
      { feed: () => ({ argv: 'sessions list', files: { [index]: 257 * mebibyte } }), says: 'no saved conversations' },
    ],
  },
  passed(
    'the recorded answers of a batch',
    (text) => ({
      argv: 'batch H/rows.txt --lines -m hf:x -o H/run.jsonl',
      files: {
        'rows.txt': 'a',
        'run.jsonl.answers': `\n${encodeLine(encodeRun({ ...storedRun, settings: { [text]: '' } }))}`,
      },
    }),
    'a line of it, as a file with rows',
  ),
]

/** Rows that need a program. */
export const programSources: readonly Source[] = [
  hidden('the output of a key command', (text) => keyCommand(`printf %s ${quoted(`${text} x`)}`), [
    {
      feed: () => keyCommand('head -c 2000000 /dev/zero | tr "\\0" x 2> /dev/null'),
      says: 'the key command printed more than 1 MiB',
    },
  ]),
  hidden('a key command that fails', (text) => keyCommand(`false ${quoted(text)}`), 'as the config file'),
]

function keyCommand(command: string): Feed {
  const profile = { 'base-url': offline, 'key-command': command }
  return {
    argv: ask,
    env: { SYN_BASE_URL: '', SYN_API_KEY: '' },
    files: { [config]: JSON.stringify({ profiles: { default: profile } }) },
  }
}

/** What `syn sessions` shows of the index after it was edited. */
async function nameInIndex(text: string, isTerminal: boolean): Promise<string> {
  const home = homeWithConversations({ id, name: 'as written', turns: [['x', 'y']] })
  const options = { isTerminal, env: { HOME: home, SYN_API_KEY: testKey } }
  await runSyn(['sessions'], options)
  const path = join(home, index)
  const before = readFileSync(path, 'utf8')
  const name = JSON.stringify(text).slice(1, -1)
  writeFileSync(
    path,
    before.replace('as written', () => name),
  )
  const { out, err } = await runSyn(['sessions'], options)
  rmSync(home, { recursive: true })
  return out + err
}
