/** The sources of the body: a flag overrides --param, which overrides --body. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chat, sentBy } from '../../helpers/chat.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'

const folder = emptyFolder()
const body = join(folder, 'body.json')
const message = { role: 'user', content: 'from the body' }
writeFileSync(
  body,
  JSON.stringify({ model: 'hf:org/body', messages: [message], temperature: 0.1, seed: 1, stream: false, stop: ['a'] }),
)

describe('which source wins', () => {
  test.each<[argv: string[], sent: object]>([
    [[], { model: 'hf:org/body', temperature: 0.1, seed: 1, stream: false, stop: ['a'] }],
    [['-p', 'temperature=0.5'], { temperature: 0.5, seed: 1 }],
    [['-p', 'temperature=0.5', '--temperature', '2'], { temperature: 2 }],
  ])('%j', async (argv, sent) => {
    expect(await sentBy(['--body', body, ...argv])).toMatchObject(sent)
  })

  test('the body overrides SYN_MODEL, which is a setting', async () => {
    expect(await sentBy(['--body', body], { env: { SYN_MODEL: 'hf:org/named' } })).toMatchObject({
      model: 'hf:org/body',
    })
  })
})

describe('--param adds any field, unchecked', () => {
  test.each<[pair: string, sent: object]>([
    ['temperature=9', { temperature: 9 }],
    ['a="1"', { a: '1' }],
    ['a=one two', { a: 'one two' }],
  ])('%s', async (pair, sent) => {
    expect(await sentBy(['-p', pair, 'hi'])).toMatchObject(sent)
  })
})

test('an unknown field of the body is sent, with a notice', async () => {
  const stdin = '{"temperatur":1,"xyzzy":2}'
  const { code, err, asked } = await chat(['--body', '-', 'hi'], { stdin })
  expect({ code, json: asked[0]?.json }).toMatchObject({ code: 0, json: { temperatur: 1, xyzzy: 2 } })
  expect(err).toBe(
    'syn: --body (standard input): unknown field "temperatur" (did you mean temperature?); sending it anyway\n' +
      'syn: --body (standard input): unknown field "xyzzy"; sending it anyway\n',
  )
})

test('an unknown alias is sent, with a notice', async () => {
  const model = 'syn:large:txt'
  const { code, err, asked } = await chat(['-m', model, 'hi'])
  const notice = 'syn: unknown alias "syn:large:txt" (did you mean syn:large:text?); sending it anyway\n'
  expect({ code, err, json: asked[0]?.json }).toMatchObject({ code: 0, err: notice, json: { model } })
})

describe('the output of --dry-run gives the same body with --body', () => {
  const rows: string[][] = [
    ['-s', 'Be kind.', '--temperature', '0.5', '--stop', 'a', '--stop', 'b', 'Say', 'hello'],
    ['-i', 'https://a.example/1', '--tools', '@test/fixtures/chat-tools.json', '--tool-choice', 'tool:weather', 'hi'],
    ['--schema', '{"type":"object"}', '-p', 'extra={"a":1}', 'üñí \u{1f600} "quoted"'],
  ]
  test.each(rows.map((row) => [row]))('%j', async (argv) => {
    const printed = await runSyn(['chat', ...argv, '--dry-run', '-q'])
    expect(printed).toMatchObject({ code: 0, err: '' })
    const { asked } = await chat(['--body', '-', '-q'], { stdin: printed.out })
    const direct = await chat(argv)
    expect(asked[0]?.json).toEqual(JSON.parse(printed.out))
    expect(asked[0]?.json).toEqual(direct.asked.at(-1)?.json)
  })
})
