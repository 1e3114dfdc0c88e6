/** `syn sessions show` and `export`. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cut, delta, end, streamed } from '../../helpers/chat-chunks.ts'
import { conversationFiles, homeWithConversations, sessions, runChats } from '../../helpers/conversations.ts'
import { json as jsonReply } from '../../helpers/service.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const id = '20261121-090000-aaaaaa'

function known(): string {
  return homeWithConversations({
    id,
    name: 'numbers',
    turns: [
      ['Count', '1 2 3\n'],
      ['On', '4'],
    ],
  })
}

const messages = [
  { role: 'user', content: 'Count' },
  { role: 'assistant', content: '1 2 3\n' },
  { role: 'user', content: 'On' },
  { role: 'assistant', content: '4' },
]

const shown = 'User\nCount\n\nAssistant hf:one\n1 2 3\n\nUser\nOn\n\nAssistant hf:one\n4\n'
const markdown = '# numbers\n\n## User\n\nCount\n\n## Assistant\n\n1 2 3\n\n## User\n\nOn\n\n## Assistant\n\n4\n'
const json = `${JSON.stringify(messages)}\n`
const jsonLines = messages.map((message) => `${JSON.stringify(message)}\n`).join('')

test.each([
  ['show numbers', shown],
  ['show numbers --json', json],
  ['export numbers', markdown],
  ['export numbers --format json', json],
  ['export numbers --format jsonl', jsonLines],
])('%s', async (line, out) => {
  expect(await sessions(known(), line.split(' '))).toEqual({ code: 0, out, err: '' })
})

test.each([
  ['talk.md', [], markdown],
  ['talk.json', [], json],
  ['talk.json', ['--format', 'md'], markdown],
])('export -o %s %j', async (file, argv, text) => {
  const path = join(emptyFolder(), file)
  expect(await sessions(known(), ['export', 'numbers', '-o', path, ...argv])).toEqual({ code: 0, out: '', err: '' })
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test('an export can be sent', async () => {
  const home = known()
  const path = join(home, 'talk.jsonl')
  await sessions(home, ['export', 'numbers', '-o', path])
  const { last } = await runChats(home, [streamed('5', end())], ['--messages', path, 'More'])
  expect(last.messages).toEqual([...messages, { role: 'user', content: 'More' }])
})

test('system prompt, image, tool calls, and an incomplete answer are shown', async () => {
  const call = { index: 0, id: 'c', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }
  const calling = streamed(delta({ tool_calls: [call] }), end('tool_calls'))
  const home = emptyFolder()
  const list = jsonReply({ data: [{ id: 'syn:large:text' }] })
  await runChats(
    home,
    [list, calling, cut('It is'), cut()],
    ['--save', '-s', 'Be brief', '-i', 'data:image/png;base64,AAAA', 'Weather?'],
    ['-c', '-m', 'hf:b', 'And now?'],
    ['-c', '--retries', '0', 'Well?'],
  )
  const [path = ''] = conversationFiles(home)
  const { out } = await sessions(home, ['show', path.slice(-28, -6)])
  expect(out).toBe(
    'System\nBe brief\n\nUser\nWeather?\n\n[image: image/png]\n\n' +
      'Assistant syn:large:vision\nweather({"city":"Oslo"})\n\nUser\nAnd now?\n\n' +
      'Assistant hf:b\nIt is\n[incomplete: the answer was cut short: the stream ended before the answer was complete]\n\n' +
      'User\nWell?\n',
  )
})

test.each([
  [['--raw'], true, '**4**'],
  [[], false, '\u001b[1m4\u001b[22m'],
])(
  'Markdown of an answer is laid out, that of a prompt is not: show %j on a terminal %s',
  async (argv, isTerminal, shown) => {
    const home = homeWithConversations({ id, turns: [['*a*\n\n```sh\nls\n```', '**4**\n\n```sh\nls\n```\n']] })
    const { out } = await sessions(home, ['show', id, '--color', ...argv], { isTerminal, env: { TERM: 'xterm' } })
    const time = isTerminal ? ' \u001b[2m2026-11-21 10:15\u001b[22m' : ''
    expect(out).toContain(`\u001b[1mUser\u001b[22m${time}\n*a*\n\n\`\`\`sh\nls\n\`\`\`\n\n`)
    expect(out).toContain(`hf:one\u001b[22m${time}\n${shown}\n\n`)
  },
)

test('export to a file of another format is refused, and nothing is written', async () => {
  const path = join(emptyFolder(), 'a.docx')
  const { code, err } = await sessions(known(), ['export', 'numbers', '-o', path])
  expect([code, err]).toEqual([2, expect.stringContaining('is not a format for conversations; use .md, .html')])
  expect(existsSync(path)).toBe(false)
})

test.each([
  [
    ['show', 'nombers'],
    'no such conversation "nombers" (did you mean numbers?)\nhint: use syn sessions to list them\n',
  ],
  [['export', 'numbers', '-o', '/nowhere/x'], '--output: cannot write /nowhere/x: no such directory\n'],
])('%j is refused', async (argv, message) => {
  expect(await sessions(known(), argv)).toEqual({ code: 2, out: '', err: `syn: ${message}` })
})
