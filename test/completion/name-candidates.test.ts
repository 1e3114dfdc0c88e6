/** Names that are completed: safe ones, without a request and without an error. */

import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { modelAliases } from '../../src/fields/model-facts.ts'
import { conversationsFolder, homeWithConversations } from '../helpers/conversations.ts'
import { runSyn, type Outcome } from '../helpers/run-syn.ts'
import { json, startService } from '../helpers/service.ts'
import { homeWith } from '../settings/stored.ts'
import { completionHome } from './home.ts'

function lines(...names: readonly string[]): Outcome {
  return { code: 0, out: names.map((name) => `${name}\t\n`).join(''), err: '' }
}

function complete(line: string, env: Record<string, string> = {}): Promise<Outcome> {
  return runSyn(['completion', '--words', line], { env })
}

const listed = ['hf:zai-org/GLM-4.7', 'hf:moonshotai/Kimi-K2:free']

test.each<[what: string, line: string, names: readonly string[]]>([
  ['aliases, then the list of the service in use', 'syn chat -m ', [...modelAliases, ...listed]],
  ['the list of a base URL', 'syn --base-url=https://two.example chat -m ', [...modelAliases, 'hf:openai/gpt-oss']],
  ['the sandbox, which has no list', 'syn chat --sandbox -m ', modelAliases],
  ['an invalid profile name', 'syn chat --profile "a b" -m ', modelAliases],
  ['embedding models', 'syn embed -m ', ['hf:nomic-ai/nomic-embed-text']],
  ['profiles', 'syn --profile ', ['default', 'work']],
])('%s', async (_what, line, names) => {
  expect(await complete(line, { HOME: await completionHome() })).toEqual(lines(...names))
})

test.each<[line: string, words: readonly string[]]>([
  ['syn --vers', ['--version']],
  ['syn chat --vers', []],
  ['syn --quiet lo', ['login', 'logout']],
  ['syn config -q g', ['get']],
  ['syn config get ba', ['base-url']],
  ['syn config set color ', ['auto', 'always', 'never']],
  ['syn config set save ', ['true', 'false']],
  ['syn config set profile ', ['default', 'work']],
  ['syn config set embed-model ', ['hf:nomic-ai/nomic-embed-text']],
  ['syn chat --json=', []],
  ['syn chat --logprobs=', ['--logprobs=true', '--logprobs=false']],
  ['syn --color=', ['--color=auto', '--color=always', '--color=never']],
  ['syn batch --on-limit ', ['wait', 'stop']],
  ['syn man lo', ['login', 'logout']],
])('the words of the tables: %s', async (line, words) => {
  const { code, out } = await complete(line, { HOME: await completionHome() })
  expect({ code, words: out.match(/^[^\t]+/gm) ?? [] }).toEqual({ code: 0, words })
})

test('conversations by name, then all by ID, the latest first; no error for damaged ones', async () => {
  const home = homeWithConversations(
    { id: '20261121-101512-aaaaaa', turns: [['a', 'b']] },
    { id: '20261121-101511-bbbbbb', name: 'french', turns: [['a', 'b']] },
    { id: '20261121-101510-cccccc', name: 'two words', turns: [['a', 'b']] },
  )
  writeFileSync(join(conversationsFolder(home), '20261121-101509-dddddd.jsonl'), 'oops {"type":"name"')
  const names = ['french', '20261121-101512-aaaaaa', '20261121-101511-bbbbbb', '20261121-101510-cccccc']
  const { code, out, err } = await complete('syn sessions show ', { HOME: home })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out.split(/\t?\n/).filter((name) => name !== '' && !name.endsWith('dddddd'))).toEqual(names)
})

test('without any files: the aliases and the default profile', async () => {
  expect(await complete('syn chat -m ')).toEqual(lines(...modelAliases))
  expect(await complete('syn embed -m ')).toEqual(lines())
  expect(await complete('syn --profile ')).toEqual(lines('default'))
  expect(await complete('syn sessions show ')).toEqual(lines())
})

test('no name that a shell would interpret', async () => {
  const names = [...'$x $(x) a$x a$(x) b`x` c;x d&x f\'x g"x h\\x -i ~j k*'.split(' '), 'e x', 'l\nx']
  const profiles = Object.fromEntries([...names, 'plain'].map((name) => [name, {}]))
  const home = homeWith(JSON.stringify({ profiles }))
  expect(await complete('syn --profile ', { HOME: home })).toEqual(lines('default', 'plain'))
})

test('no error for a damaged config file', async () => {
  const home = homeWith('{"profiles": oops')
  expect(await complete('syn chat -m ', { HOME: home })).toEqual(lines(...modelAliases))
  expect(await complete('syn --profile ', { HOME: home })).toEqual(lines('default'))
})

test('no request is sent', async () => {
  await using service = await startService(json({ data: [{ id: 'hf:new/one' }] }))
  expect(await complete('syn chat -m ', service.env)).toEqual(lines(...modelAliases))
  expect(service.asked).toEqual([])
})

test('prompts after @, however many there are, and a link to nothing, which syn prompts explains', async () => {
  const home = await completionHome()
  const folder = join(home, '.config', 'syn', 'prompts')
  symlinkSync('nowhere', join(folder, 'none.md'))
  const many = Array.from({ length: 200 }, (_, index) => `p${index}`)
  for (const name of many) writeFileSync(join(folder, `${name}.md`), '')
  const { out } = await complete('syn chat -t @', { HOME: home })
  expect(out).toBe(
    `\t@\t\n${['none', 'review', ...many]
      .toSorted()
      .map((name) => `@${name}\t\n`)
      .join('')}`,
  )
  expect(await complete('syn prompts show r', { HOME: home })).toEqual(lines('review'))
})
