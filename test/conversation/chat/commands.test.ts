/** What is typed after a slash. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { homeWithConversations, said } from '../../helpers/conversations.ts'
import { acceptedImages } from '../../helpers/images.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { chatAnswer, events, json, type Answer } from '../../helpers/service.ts'
import { talk } from '../../helpers/talking.ts'

const png = acceptedImages['shot.png'] ?? Buffer.of()
const hello = events(chatAnswer(['Hel', 'lo']))
const user = (content: unknown): object => ({ role: 'user', content })
const assistant = { role: 'assistant', content: 'Hello' }

describe('each in one line', () => {
  test.each<[line: string, shown: RegExp]>([
    ['/model syn:small:text', /^the model is syn:small:text$/],
    ['/model nonsense', /^syn: \/model: "nonsense" is not accepted; expected a name/],
    ['/system', /^there is no instruction$/],
    ['/system Be brief.', /^the instruction is: Be brief\.$/],
    ['/set', /^no field is set$/],
    ['/set temperature 0.5', /^temperature 0\.5$/],
    ['/set --max-tokens 5', /^max_tokens 5$/],
    ['/set temperature 5', /^syn: \/set temperature: 5 is not accepted; expected a number from 0 to 2$/],
    ['/set temprature 1', /^syn: \/set: there is no field "temprature" \(did you mean temperature\?\)$/],
    ['/set parallel_tool_calls yes', /^syn: \/set parallel_tool_calls: "yes" is not accepted; expected true or false$/],
    ['/set stop END', /^stop "END"$/],
    ['/set tools @-', /^syn: \/set tools: standard input is the terminal/],
    ['/image -', /^syn: standard input is the terminal; expected a path$/],
    ['/image nowhere.png', /^syn: --image: can't read nowhere\.png: no such file$/],
    ['/file', /^syn: \/file: PATH is missing$/],
    ['/undo', /^syn: nothing was said yet$/],
    ['/retry', /^syn: nothing was said yet$/],
    ['/copy', /^syn: there is no answer to copy yet$/],
    ['/new now', /^syn: \/new takes no argument$/],
    ['/load nowhere', /^syn: there is no conversation "nowhere"$/],
    ['/sessions', /^there are no conversations yet$/],
    ['/usage', /^no tokens were counted yet$/],
    ['/tokens', /^syn: nothing was said yet$/],
    ['/raw on', /^Markdown is shown as it is$/],
    ['/reasoning maybe', /^syn: \/reasoning: "maybe" is not accepted; expected on or off$/],
    ['/modle', /^syn: there is no command "\/modle" \(did you mean \/model\?\)$/],
  ])('%s', async (line, shown) => {
    await using chat = await talk([json({ data: [] })], { columns: 120 })
    await chat.say(line)
    expect(chat.below(`› ${line}`)[0]).toMatch(shown)
    expect(chat.sent()).toEqual([])
  })
})

test.each([80, 40])('/help fits %d columns', async (columns) => {
  await using chat = await talk([hello], { columns })
  await chat.say('/help')
  const lines = chat.screen.lines()
  const row = lines[lines.findIndex((line) => line.startsWith('/model [NAME]'))]
  expect(row).toMatch(columns > 40 ? /^\/model \[NAME\] {2,}Ask this model/ : /^\/model \[NAME\]$/)
  expect(lines.join(' ')).toContain('//text sends text that begins with a slash.')
  expect(lines.filter((line) => line.length > columns)).toEqual([])
})

test('two slashes send one', async () => {
  await using chat = await talk([hello])
  await chat.say('//etc is a folder')
  expect(chat.sent()[0]?.messages).toEqual([user('/etc is a folder')])
})

test('model, instruction and fields hold from the next message on', async () => {
  await using chat = await talk([hello])
  await chat.say('one')
  await chat.say('/model hf:two')
  await chat.say('/system Be brief.')
  await chat.say('/set seed 7')
  await chat.say('two')
  await chat.say('/set seed')
  await chat.say('three')
  const [, second, third] = chat.sent()
  expect(second).toEqual({
    model: 'hf:two',
    messages: [{ role: 'system', content: 'Be brief.' }, user('one'), assistant, user('two')],
    stream: true,
    seed: 7,
  })
  expect(third).not.toHaveProperty('seed')
})

test('files and images go along with the next message alone', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'notes.txt'), 'remember')
  writeFileSync(join(folder, 'dot.png'), png)
  await using chat = await talk([hello], { folder })
  await chat.say('/file notes.txt')
  await chat.say('/image dot.png')
  await chat.say('look')
  await chat.say('and now?')
  const url = `data:image/png;base64,${png.toString('base64')}`
  expect(chat.sent()[0]).toMatchObject({
    model: 'syn:large:vision',
    messages: [
      user([
        { type: 'text', text: 'look\n\nnotes.txt:\n```txt\nremember\n```' },
        { type: 'image_url', image_url: { url } },
      ]),
    ],
  })
  expect(chat.sent()[1]?.messages.at(-1)).toEqual(user('and now?'))
})

test('/retry asks the last message again, /undo takes it back, and both outlive the chat', async () => {
  await using chat = await talk([hello])
  await chat.say('one')
  await chat.say('two')
  await chat.say('/retry hf:other')
  expect(chat.sent().at(-1)).toMatchObject({ model: 'hf:other', messages: [user('one'), assistant, user('two')] })
  await chat.say('/undo')
  expect(chat.below('› /undo')[0]).toBe('taken back: two')
  await using again = await talk([hello], { argv: ['-c'], env: { HOME: chat.home } })
  expect(again.screen.lines().slice(1, -1)).toEqual(['going on with: one', '› one', '  Hello'])
  await again.say('three')
  expect(again.sent()[0]?.messages).toEqual([user('one'), assistant, user('three')])
})

test('/edit writes the last message anew in the editor', async () => {
  await using chat = await talk([hello], { env: { EDITOR: 'sed -i s/one/two/' } })
  await chat.say('one')
  chat.screen.type('/edit\r')
  await chat.screen.until((lines) => lines.at(-1) === '› two')
  await chat.say('')
  expect(chat.sent().at(-1)?.messages).toEqual([user('two')])
})

test('/copy writes the clipboard, and nothing else does', async () => {
  const hostile = events(chatAnswer(['\u001b]52;c;aGVsbG8=\u0007']))
  await using chat = await talk([hostile])
  await chat.say('hi')
  expect(chat.screen.written()).not.toContain('\u001b]52')
  await chat.say('/copy')
  const text = Buffer.from('\u001b]52;c;aGVsbG8=\u0007').toString('base64')
  expect(chat.screen.written()).toContain(`\u001b]52;c;${text}\u0007`)
})

test.each<[name: string, content: string]>([
  ['talk.md', '# hi\n\n## User\n\nhi\n\n## Assistant\n\nHello\n'],
  ['talk.json', '[{"role":"user","content":"hi"},{"role":"assistant","content":"Hello"}]\n'],
  ['talk.jsonl', '{"role":"user","content":"hi"}\n{"role":"assistant","content":"Hello"}\n'],
])('/save %s', async (name, content) => {
  const folder = emptyFolder()
  await using chat = await talk([hello], { folder })
  await chat.say('hi')
  await chat.say(`/save ${name}`)
  expect(readFileSync(join(folder, name), 'utf8')).toBe(content)
})

test('/load goes on with another conversation, /fork with a copy, /rename names it', async () => {
  const home = homeWithConversations({ id: '20261121-101512-4f7a9c', name: 'french', turns: [['one', 'un']] })
  await using chat = await talk([hello], { env: { HOME: home } })
  await chat.say('/load french')
  expect(chat.below('› /load')).toEqual(['going on with: french', '› one', '  un', ''])
  await chat.say('/fork')
  await chat.say('/rename french')
  expect(chat.below('› /rename')[0]).toMatch(/^syn: there is a conversation named "french" already/)
  await chat.say('/rename german')
  await chat.say('two')
  expect(chat.sent()[0]).toMatchObject({
    model: 'hf:one',
    messages: [user('one'), { role: 'assistant', content: 'un' }, user('two')],
  })
  await chat.say('/sessions')
  expect(chat.below('› /sessions').join('\n')).toMatch(/german[^]*french/)
})

test('/new begins another conversation', async () => {
  await using chat = await talk([hello])
  await chat.say('one')
  await chat.say('/new')
  await chat.say('two')
  expect(chat.sent()[1]?.messages).toEqual([user('two')])
  expect(() => said(chat.home, 'turn')).toThrow('2 conversations')
})

test('/tokens has the service count, /quota asks it, /usage sums up', async () => {
  const service: Answer = (asked, response) => {
    if (asked.path.endsWith('/count_tokens')) return json({ input_tokens: 12 })(asked, response)
    if (asked.path.endsWith('/models')) return json({ data: [{ id: 'hf:one', context_length: 100 }] })(asked, response)
    if (asked.path.endsWith('/quotas')) {
      return json({ subscription: { limit: 10, requests: 2, renewsAt: 'soon' } })(asked, response)
    }
    return hello(asked, response)
  }
  await using chat = await talk([service], { argv: ['-m', 'hf:one', '-s', 'Be brief.'] })
  await chat.say('hi')
  await chat.say('/tokens')
  expect(chat.below('› /tokens')[0]).toBe('12 tokens · 12.0 % of the 100 of hf:one')
  expect(chat.service.asked.find(({ path }) => path.endsWith('/count_tokens'))?.json).toEqual({
    model: 'hf:one',
    system: 'Be brief.',
    messages: [user('hi'), assistant],
  })
  await chat.say('/quota')
  expect(chat.below('› /quota').join('\n')).toContain('2 of 10 used')
  await chat.say('/usage')
  expect(chat.below('› /usage')[0]).toBe('1 answer · 3 prompt + 2 completion tokens')
})

test('Tab completes commands, models and paths', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'notes.txt'), 'remember')
  await using chat = await talk([hello], { folder })
  chat.screen.type('/mo\t')
  await chat.screen.until((lines) => lines.at(-1) === '› /model')
  chat.screen.type('syn:s\t')
  await chat.screen.until((lines) => lines.at(-1) === '› /model syn:small:')
  chat.screen.type('\u0015/file no\t')
  await chat.screen.until((lines) => lines.at(-1) === '› /file notes.txt')
})
