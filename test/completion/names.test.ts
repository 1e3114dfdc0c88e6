/** The name lists for the scripts: safe names, without a request and without an error. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { modelAliases } from '../../src/fields/kinds.ts'
import { conversationsFolder, homeWithConversations } from '../helpers/conversations.ts'
import { runSyn, type Outcome } from '../helpers/run-syn.ts'
import { json, startService } from '../helpers/service.ts'
import { homeWith } from '../settings/stored.ts'
import { completionHome } from './home.ts'

function lines(...names: readonly string[]): Outcome {
  return { code: 0, out: names.map((name) => `${name}\n`).join(''), err: '' }
}

const listed = ['hf:zai-org/GLM-4.7', 'hf:moonshotai/Kimi-K2:free']

test.each<[what: string, argv: string[], names: readonly string[]]>([
  ['aliases, then the list of the service in use', ['models'], [...modelAliases, ...listed]],
  ['the list of a profile', ['models', '--profile', 'work'], [...modelAliases, 'hf:openai/gpt-oss']],
  ['the list of a base URL', ['models', '--base-url', 'https://two.example'], [...modelAliases, 'hf:openai/gpt-oss']],
  ['the sandbox, which has no list', ['models', '--sandbox'], modelAliases],
  ['an unknown profile', ['models', '--profile', 'new'], modelAliases],
  ['an invalid profile name', ['models', '--profile', 'a b'], modelAliases],
  ['an invalid base URL', ['models', '--base-url', '$(x)'], modelAliases],
  ['embedding models', ['embedding-models'], ['hf:nomic-ai/nomic-embed-text']],
  ['profiles', ['profiles'], ['default', 'work']],
])('%s', async (_what, argv, names) => {
  const env = { HOME: await completionHome() }
  expect(await runSyn(['completion', ...argv], { env })).toEqual(lines(...names))
})

test('conversations by name, then all by ID, the latest first; no error for damaged ones', async () => {
  const home = homeWithConversations(
    { id: '20261121-101512-aaaaaa', turns: [['a', 'b']] },
    { id: '20261121-101511-bbbbbb', name: 'french', turns: [['a', 'b']] },
    { id: '20261121-101510-cccccc', name: 'two words', turns: [['a', 'b']] },
  )
  writeFileSync(join(conversationsFolder(home), '20261121-101509-dddddd.jsonl'), 'oops {"type":"name"')
  const names = ['french', '20261121-101512-aaaaaa', '20261121-101511-bbbbbb', '20261121-101510-cccccc']
  const { code, out, err } = await runSyn(['completion', 'conversations'], { env: { HOME: home } })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out.split('\n').filter((name) => name !== '' && !name.endsWith('dddddd'))).toEqual(names)
})

test('without any files: the aliases and the default profile', async () => {
  expect(await runSyn(['completion', 'models'])).toEqual(lines(...modelAliases))
  expect(await runSyn(['completion', 'embedding-models'])).toEqual(lines())
  expect(await runSyn(['completion', 'profiles'])).toEqual(lines('default'))
  expect(await runSyn(['completion', 'conversations'])).toEqual(lines())
})

test('no name that a shell would interpret', async () => {
  const names = [
    '$x',
    '$(x)',
    'a$x',
    'a$(x)',
    'b`x`',
    'c;x',
    'd&x',
    'e x',
    "f'x",
    'g"x',
    'h\\x',
    '-i',
    '~j',
    'k*',
    'l\nx',
  ]
  const profiles = Object.fromEntries([...names, 'plain'].map((name) => [name, {}]))
  const home = homeWith(JSON.stringify({ profiles }))
  expect(await runSyn(['completion', 'profiles'], { env: { HOME: home } })).toEqual(lines('default', 'plain'))
})

test('no error for a damaged config file', async () => {
  const home = homeWith('{"profiles": oops')
  expect(await runSyn(['completion', 'models'], { env: { HOME: home } })).toEqual(lines(...modelAliases))
  expect(await runSyn(['completion', 'profiles'], { env: { HOME: home } })).toEqual(lines('default'))
})

test('no request is sent', async () => {
  await using service = await startService(json({ data: [{ id: 'hf:new/one' }] }))
  expect(await runSyn(['completion', 'models'], { env: service.env })).toEqual(lines(...modelAliases))
  expect(service.asked).toEqual([])
})
