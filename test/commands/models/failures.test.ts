/** Failures of the service, and replies that are not a list. */

import { expect, test } from 'vitest'
import { models } from '../../helpers/models.ts'
import { runSyn } from '../../helpers/run-syn.ts'
import { json, type Answer } from '../../helpers/service.ts'

const page: Answer = (_asked, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>')
}
const cut: Answer = (_asked, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"data":[', () => response.destroy())
}

test.each<[title: string, answer: Answer, code: number, message: string]>([
  ['a bad key', json({ error: 'no such key' }, 401), 3, 'no such key (401 Unauthorized)\nhint: check the API key'],
  [
    'another address',
    json({ error: 'Not found' }, 404),
    4,
    'Not found (404 Not Found)\nhint: check the base URL: syn config get base-url\n',
  ],
  ['another method', json('', 405), 1, 'the service returned 405 Method Not Allowed\nhint: check the base URL'],
  ['a spent limit', json({ error: 'enough' }, 429), 5, 'enough (429 Too Many Requests)\n'],
  ['a fault', json({ error: 'oops' }, 500), 6, 'oops (500 Internal Server Error)\n'],
  ['a web page', page, 6, 'the service sent a web page instead of JSON: Hello\n'],
  ['nothing', json(''), 6, 'the service sent an empty reply\n'],
  ['part of a list', cut, 6, ''],
  ['an error at 200', json({ error: 'not now' }), 6, 'not now\n'],
  ['no list', json({ models: [] }), 6, 'the reply is not a model list\nhint: use syn models --json to print it\n'],
  ['an object as the list', json({ data: { id: 'hf:a/b' } }), 6, 'the reply is not a model list\n'],
  ['a word', json('"soon"'), 6, 'the reply is not a model list\n'],
])('%s', async (_title, answer, code, message) => {
  for (const argv of [[], ['show', 'hf:a/b']]) {
    const outcome = await models([...argv, '--retries', '0'], { answer })
    expect(outcome).toMatchObject({ code, out: '' })
    expect(outcome.err).toContain(`syn: ${message}`)
  }
})

test('a bare array is accepted', async () => {
  expect(await models(['--filter', 'a/b', '--ids'], { answer: json([{ id: 'hf:a/b' }]) })).toMatchObject({
    out: 'hf:a/b\n',
  })
})

test('without a base URL a hint says how to set one', async () => {
  const { code, err } = await runSyn(['models'])
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('hint: use syn login to store one') })
})
