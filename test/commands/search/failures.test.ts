/** Failures of the service, and replies without results. */

import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { search } from '../../helpers/search.ts'
import { json, type Answer } from '../../helpers/service.ts'

const page: Answer = (_asked, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>')
}
const cut: Answer = (_asked, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"results":[', () => response.destroy())
}
const mebibyte = 1024 * 1024
/** A large text that compresses well. */
const swollen: Answer = (_asked, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
  response.end(gzipSync(`{"results":[{"url":"https://a","text":"${'a'.repeat(16 * mebibyte)}"}]}`))
}
const endless: Answer = (_asked, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const write = (): void => {
    while (!response.destroyed && response.write(' '.repeat(mebibyte)));
  }
  response.on('drain', write)
  write()
}

test.each<[title: string, answer: Answer, code: number, message: string]>([
  ['a bad key', json({ error: 'no such key' }, 401), 3, 'no such key (401 Unauthorized)\nhint: check the API key'],
  ['no credit', json({ error: 'pay first' }, 402), 5, 'pay first (402 Payment Required)\n'],
  ['a spent limit', json({ error: 'enough' }, 429), 5, 'enough (429 Too Many Requests)\n'],
  ['a query it refuses', json({ error: 'too short' }, 400), 1, 'too short (400 Bad Request)\n'],
  ['a fault', json({ error: 'oops' }, 500), 6, 'oops (500 Internal Server Error)\n'],
  ['a web page', page, 6, 'the service sent a web page instead of JSON: Hello\n'],
  ['nothing', json(''), 6, 'the service sent an empty reply\n'],
  ['part of the results', cut, 6, ''],
  ['an error at 200', json({ error: 'not now' }), 6, 'not now\n'],
  ['no results', json({ answer: 42 }), 6, 'the reply has no list of results\nhint: use --json to print it\n'],
  ['more than anyone reads', swollen, 6, 'the reply is larger than the limit of 16 MiB\n'],
  ['a reply without an end', endless, 6, 'the reply is larger than the limit of 16 MiB\n'],
])('%s', async (_title, answer, code, message) => {
  const outcome = await search(['--retries', '0', 'tower'], { answer })
  expect(outcome).toMatchObject({ code, out: '' })
  expect(outcome.err).toContain(`syn: ${message}`)
})

test('a page of 15 MiB is accepted', async () => {
  const { code, out } = await search(['--urls', 'x'], {
    answer: json([{ url: 'https://a', text: 'a'.repeat(15 * mebibyte) }]),
  })
  expect({ code, out }).toEqual({ code: 0, out: 'https://a\n' })
})
