/** Tools in the interactive chat: /tools, the question in the line, and what of an exchange is sent again. */

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Call, dialects, type FamilyFixture, type Piece } from '../helpers/dialects.ts'
import { openChat, type ChatOptions, type InteractiveChat } from '../helpers/interactive-chat.ts'
import { environment, quoted } from '../helpers/program.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { type Answer, json, startService } from '../helpers/service.ts'
import { toolsFile, untilGone, untilThere } from '../helpers/tools.ts'
import { type Message, serverWith } from '../helpers/web-server.ts'
import { byHand, synOnTerminal, wide } from '../helpers/terminal.ts'

const folder = emptyFolder()
const file = join(folder, 'tools.json')
const parameters = { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] }
const tools = {
  write: {
    parameters,
    command: ['sh', '-c', 'echo done > "$1"; echo written', 'sh', '{{file}}'],
  },
  hold: { parameters, command: ['sh', '-c', 'touch "$1"; exec sleep 60', 'sh', '{{file}}'] },
}
writeFileSync(file, JSON.stringify({ tools }))

const question = 'Run write? [y]es, [n]o, [a]lways in this chat:'

function writing(path: string): Call {
  return { call: 'write', given: JSON.stringify({ file: path }) }
}

function newPath(): string {
  return join(emptyFolder(), 'one')
}

async function withTools(answers: Answer[], options: ChatOptions = {}): Promise<InteractiveChat> {
  const argv = ['-q', '--tools-file', file, ...(options.argv ?? ['-T', 'write'])]
  return openChat(answers, { columns: wide, ...options, argv })
}

function asks({ screen }: InteractiveChat): Promise<void> {
  return screen.until((lines) => lines.includes(question) && lines.at(-1) === '[y/n/a]')
}

/** In one sequence: an ESC alone is the start of another key for a while. */
const escape = '\u001b[27u'

const stopped = ({ screen }: InteractiveChat): Promise<void> =>
  screen.until((lines) => lines.some((line) => /^(stopped|no answer to)/.test(line)) && lines.at(-1) === '›')

describe.concurrent.each(dialects)('$name', (dialect) => {
  const { user, assistant, calling, results, streamed } = dialect

  test.concurrent('the question stands above the line; y runs the call, and the next message follows all of it', async () => {
    const path = newPath()
    await using chat = await withTools([streamed('Hm.', writing(path)), streamed('Yes.'), streamed('Sure.')], {
      dialect,
    })
    chat.screen.type('Go\r')
    await asks(chat)
    expect(existsSync(path)).toBe(false)
    await chat.type('y', '›')
    expect(chat.linesBelow('› Go').filter((line) => line !== '')).toEqual([
      'Hm.',
      `The model calls write ${JSON.stringify({ file: path })}`,
      question,
      '[y/n/a] y',
      expect.stringMatching(/^write: 1 line, /),
      '  written',
      'Yes.',
    ])
    await chat.enter('Sure?')
    const exchange = [user('Go'), calling('Hm.', writing(path)), ...results('written\n'), assistant('Yes.')]
    expect(chat.sent().at(-1)?.messages).toEqual([...exchange, user('Sure?')])
  })

  test.concurrent.each([
    ['Esc', escape],
    ['Ctrl-C', '\u0003'],
  ])(
    '%s at the question ends the turn: the text and its tokens are kept, the call is not sent again',
    async (_name, key) => {
      const path = newPath()
      await using chat = await withTools([streamed('Hm.', { usage: [10, 5] }, writing(path)), streamed('Ok.')], {
        dialect,
      })
      chat.screen.type('Go\r')
      await asks(chat)
      chat.screen.type(key)
      await stopped(chat)
      await chat.enter('Next')
      expect(chat.sent().map(({ messages }) => messages)).toEqual([
        [user('Go')],
        [user('Go'), assistant('Hm.'), user('Next')],
      ])
      await chat.enter('/usage')
      expect(chat.textBelow('› /usage')).toContain('13 prompt + 7 completion tokens')
      expect(existsSync(path)).toBe(false)
    },
  )

  test.concurrent('Esc during the second call keeps the result of the first', async () => {
    const [path, held] = [newPath(), newPath()]
    const hold = { call: 'hold', given: JSON.stringify({ file: held }) }
    await using chat = await withTools([streamed(writing(path), hold), streamed('Ok.')], {
      dialect,
      argv: ['--allow', 'write', '--allow', 'hold'],
    })
    chat.screen.type('Go\r')
    await untilThere(held)
    chat.screen.type(escape)
    await stopped(chat)
    await chat.enter('Next')
    const next = JSON.stringify(chat.sent().at(-1)?.messages)
    expect(next).toContain('written')
    expect(next).not.toContain('hold')
    expect(next).not.toContain('call_1')
  })

  test.concurrent('/retry, /undo and /edit mean the last message that somebody wrote', async () => {
    const path = newPath()
    const exchange = [streamed('Hm.', writing(path)), streamed('Yes.')]
    await using chat = await withTools([...exchange, ...exchange, streamed('New.')], {
      dialect,
      argv: ['--allow', 'write'],
    })
    await chat.enter('Go')
    await chat.enter('/retry')
    const sent = chat.sent().map(({ messages }) => messages)
    expect(sent[2]).toEqual([user('Go')])
    expect(sent[3]).toEqual(sent[1])
    await chat.type('/undo\r', '› Go')
    await chat.type(' on\r', '›')
    expect(chat.sent().at(-1)?.messages).toEqual([user('Go on')])
  })

  test.concurrent('-c continues after the results', async () => {
    const path = newPath()
    const answers = [streamed('Hm.', writing(path)), streamed('Yes.'), streamed('Ok.')]
    await using chat = await withTools(answers, { dialect, argv: ['--allow', 'write', '--save'] })
    await chat.enter('Go')
    await chat.enter('Next')
    const messages = [
      user('Go'),
      calling('Hm.', writing(path)),
      ...results('written\n'),
      assistant('Yes.'),
      user('Next'),
    ]
    expect(chat.sent().at(-1)?.messages).toEqual(messages)
    await using service = await startService(streamed('Last.'))
    await runSyn(['chat', ...dialect.argv, '-c', '-m', 'hf:a/b', 'And?'], { env: { ...service.env, HOME: chat.home } })
    expect(service.asked[0]?.json).toMatchObject({ messages: [...messages, assistant('Ok.'), user('And?')] })
  })
})

const [chatFamily] = dialects as [FamilyFixture]
const streamed = (...pieces: Piece[]): Answer => chatFamily.streamed(...pieces)

test.concurrent.each<[answer: string, keys: string, isRun: boolean]>([
  ['yes and Enter', 'yes\r', true],
  ['n', 'n', false],
  ['Enter', '\r', false],
])('%s answers it, and nothing of that is sent', async (_name, keys, isRun) => {
  const path = newPath()
  await using chat = await withTools([streamed(writing(path)), streamed('Ok.')])
  chat.screen.type('Go\r')
  await asks(chat)
  for (const key of keys) await chat.type(key, '›')
  expect(existsSync(path)).toBe(isRun)
  expect(chat.sent()).toHaveLength(2)
  expect(JSON.stringify(chat.sent().at(-1)).includes('the user did not let this call run')).toBe(!isRun)
})

test.concurrent('/tools offers and lists; what is always allowed is so in this conversation', async () => {
  const path = newPath()
  const answers = [streamed('None.'), streamed(writing(path)), streamed('Yes.')]
  await using chat = await withTools(answers, { argv: [] })
  await chat.enter('/tools')
  expect(chat.textBelow('› /tools')).toBe('no tools; /tools NAME offers one of tools.json, or search')
  await chat.enter('one')
  expect(chat.sent()[0]).not.toHaveProperty('tools')
  await chat.enter('/tools nosuch')
  expect(chat.textBelow('› /tools nosuch')).toContain(`syn: no tool or server "nosuch" in ${file}`)
  await chat.enter('/tools write')
  expect(chat.textBelow('› /tools write')).toBe('write: syn asks before each call')
  chat.screen.type('two\r')
  await asks(chat)
  await chat.type('a', '›')
  expect(existsSync(path)).toBe(true)
  await chat.enter('/tools')
  expect(chat.textBelow('› /tools')).toContain(
    'write: always allowed in this chat, with any arguments; /tools write asks again',
  )
  await chat.enter('/new')
  await chat.enter('/tools')
  expect(chat.textBelow('› /tools')).toContain('write: syn asks before each call')
})

test.concurrent('what is always allowed stands in the status row', async () => {
  const answers = [streamed(writing(newPath())), streamed('Yes.')]
  await using chat = await openChat(answers, { columns: wide, argv: ['--tools-file', file, '-T', 'write'] })
  const showsAlways = ([status]: string[]): boolean => status?.includes(' · always allowed: write') ?? false
  chat.screen.type('one\r')
  await asks(chat)
  chat.screen.type('a')
  await chat.screen.until((lines) => showsAlways(lines.slice(-2)))
  chat.screen.type('/tools write\r')
  await chat.screen.until((lines) => lines.at(-1) === '›' && !showsAlways(lines.slice(-2)))
})

test.concurrent('queued messages are no answer, stay queued, and are sent after the turn', async () => {
  const path = newPath()
  const paced = chatFamily.paced()
  await using chat = await withTools([paced.answer, streamed('Ok.'), streamed('Later.')])
  chat.screen.type('Go\r')
  await paced.asked
  chat.screen.type('y\r')
  await chat.screen.until((lines) => lines.includes('» y'))
  await paced.finish(writing(path))
  await asks(chat)
  expect(existsSync(path)).toBe(false)
  chat.screen.type('n')
  await chat.screen.until((lines) => lines.includes('Later.') && lines.at(-1) === '›')
  expect(existsSync(path)).toBe(false)
  expect(chat.sent().at(-1)?.messages.at(-1)).toEqual({ role: 'user', content: 'y' })
})

test.concurrent('who is typing answers nothing: the text goes on, and returns to the line', async () => {
  const path = newPath()
  const paced = chatFamily.paced()
  await using chat = await withTools([paced.answer, streamed('Ok.')])
  chat.screen.type('Go\r')
  await paced.asked
  const { screen } = chat
  const typing = setInterval(() => screen.type('m'), 50)
  screen.type('m')
  const typed = (lines: string[]): number => /m*$/.exec(lines.at(-1) ?? '')?.[0].length ?? 0
  try {
    await paced.finish(writing(path))
    const before = typed(screen.lines())
    await screen.until((lines) => typed(lines) > before + 12)
    expect(screen.lines().join()).not.toContain('The model calls')
  } finally {
    clearInterval(typing)
  }
  screen.type('y')
  await chat.screen.until((lines) => /^» m+y$/.test(lines.at(-1) ?? ''))
  await asks(chat)
  expect(existsSync(path)).toBe(false)
  chat.screen.type('y')
  await chat.screen.until((lines) => /^› m+y$/.test(lines.at(-1) ?? ''))
  expect(existsSync(path)).toBe(true)
})

test.concurrent('a paste is no answer, nor is the letter before it, and both stand in the line afterwards', async () => {
  const path = newPath()
  await using chat = await withTools([streamed(writing(path)), streamed('Ok.')])
  chat.screen.type('Go\r')
  await asks(chat)
  await chat.type('y\u001b[200~ourself\u001b[201~', '› yourself')
  expect(existsSync(path)).toBe(false)
})

test.concurrent('all of a call stays in sight above queued messages, whatever is being typed', async () => {
  const paced = chatFamily.paced()
  await using chat = await withTools([paced.answer, streamed('Ok.')], { columns: 80, scrollback: 0 })
  const { screen } = chat
  screen.type('Go\r')
  await paced.asked
  screen.type(byHand('one\rtwo\rthree\rfour\rfive\r'))
  await screen.until((lines) => lines.includes('» … 2 more'))
  screen.type(Array.from({ length: 8 }, (_, row) => `row ${row}`).join('\u001b\r'))
  await screen.until((lines) => lines.at(-1) === '  row 7')
  await paced.finish(writing(`/nonexistent/${'x'.repeat(1100)}`))
  await screen.until((lines) => lines.at(-1) === '[y/n/a]')
  const lines = screen.lines()
  const start = lines.findIndex((line) => line.startsWith('The model calls write'))
  expect(lines.slice(start, lines.indexOf(question)).join('').replaceAll(' ', '')).toContain(`${'x'.repeat(1100)}"}`)
})

test.concurrent.each<[typed: string, line: string[]]>([
  ['h', ['› hello']],
  [byHand('one\rtwo\r'), ['› one', '  twoello']],
  ['actually', ['› actuallyello']],
])('%j refuses, and what is typed then follows it in the line', async (typed, line) => {
  const path = newPath()
  await using chat = await withTools([streamed(writing(path)), streamed('Ok.')])
  chat.screen.type('Go\r')
  await asks(chat)
  chat.screen.type(typed)
  await chat.screen.until((lines) => lines.includes('write: not run'))
  chat.screen.type('ello')
  await chat.screen.until((lines) => lines.slice(-line.length).join() === line.join())
  expect(existsSync(path)).toBe(false)
})

test.concurrent('what is typed while the draft is in an editor answers no question', async () => {
  const path = newPath()
  const saved = newPath()
  const paced = chatFamily.paced()
  // Longer than the keys before it keep a question back.
  const editing = `echo editing; until [ -e ${quoted(saved)} ]; do sleep 0.05; done; sleep 0.6`
  const env = { EDITOR: `sh -c ${quoted(editing)} sh` }
  await using opened = await withTools([paced.answer, streamed('Ok.')], { env })
  opened.screen.type('Go\r')
  await paced.asked
  opened.screen.type('\u0007')
  await opened.screen.until((lines) => lines.includes('editing'))
  await paced.finish(writing(path))
  opened.screen.type('y')
  writeFileSync(saved, '')
  await asks(opened)
  expect(existsSync(path)).toBe(false)
  await opened.type('n', '› y')
  expect(existsSync(path)).toBe(false)
})

test.concurrent('a session that a server has forgotten is begun anew', async () => {
  const server = serverWith()
  let isForgotten = false
  await using service = await startService((request, response) => {
    const { method } = (request.json ?? {}) as Message
    if (method === 'initialize') isForgotten = false
    return isForgotten ? json('no session', 404)(request, response) : server(request, response)
  })
  const own = toolsFile({ mcpServers: { s: { url: service.baseUrl } } })
  const answers = [1, 2].flatMap(() => [streamed({ call: 's__call', given: '{}' }), streamed('Ok.')])
  await using chat = await openChat(answers, { argv: ['--tools-file', own, '--allow', 's'], columns: wide })
  await chat.enter('one')
  expect(chat.textBelow('› one')).toContain('s/call {}: 1 line')
  isForgotten = true
  await chat.enter('two')
  expect(chat.textBelow('› two')).toContain('s/call {}: 1 line')
})

test.concurrent('a server that has ended is started again by the next call', async () => {
  const own = toolsFile({ mcpServers: { s: serverOf('crash in a call') } })
  const echo = { call: 's__echo', given: '{"text":"hi"}' }
  const answers = [{ call: 's__call', given: '{}' }, echo].flatMap((call) => [streamed(call), streamed('Ok.')])
  await using chat = await openChat(answers, { argv: ['--tools-file', own, '--allow', 's'], columns: wide })
  await chat.enter('one')
  expect(chat.textBelow('› one')).toContain('server s: exited with status 5')
  await chat.enter('two')
  expect(chat.textBelow('› two')).toContain('s/echo {"text":"hi"}: 1 line')
})

const script = fileURLToPath(new URL('../fixtures/mcp/server.mjs', import.meta.url))
const serverOf = (...args: string[]): object => ({ command: process.execPath, args: [script, ...args] })

test.concurrent('the chat starts without a server that fails, or that Esc does not wait for', async () => {
  const started = join(emptyFolder(), 'ids')
  const [bad, hung, good] = [serverOf('end at the start'), serverOf('silence', started), serverOf('')]
  const own = toolsFile({ mcpServers: { bad, hung, good } })
  const argv = ['chat', '--tools-file', own, '-T', 'bad', '-T', 'hung', '--allow', 'good']
  await using service = await startService(streamed({ call: 'good__echo', given: '{"text":"hi"}' }), streamed('Ok.'))
  const screen = synOnTerminal(argv, { ...environment(service), COLORFGBG: '15;0' }, { columns: wide })
  const waiting = (lines: string[]): boolean =>
    lines.some((line) => line.includes('starting hung · esc goes on without it'))
  await screen.until(waiting)
  screen.type(`early${escape}`)
  await untilGone(started)
  const why = 'the server bad does not start: exited with status 3 (last line: no such file); /tools bad tries again'
  const notices = [`syn: ${why}`, 'syn: hung was not waited for; /tools hung tries again']
  await screen.until((lines) => lines.at(-1) === '› early')
  expect(screen.lines()).toEqual(expect.arrayContaining(notices))
  screen.type('\u0015/tools\r')
  await screen.until((lines) => lines.includes(why) && lines.at(-1) === '›')
  expect(screen.lines()).toContain('good/echo: allowed by --allow')
  screen.type('/tools bad\r')
  await screen.until((lines) => lines.includes('syn: the server bad does not start: exited with status 3'))
  screen.type('Go\r')
  await screen.until((lines) => lines.some((line) => line.startsWith('good/echo {"text":"hi"}: 1 line')))
  screen.close()
  await screen.ended
})

test.concurrent('a result is kept when Esc ends the wait for a list that may have changed', async () => {
  let [called, lists] = [0, 0]
  const begun = serverWith()
  const begin: Answer = (asked, response) => {
    const { id, params } = asked.json as Message
    const capabilities = { tools: { listChanged: true } }
    const result = { protocolVersion: params?.protocolVersion, capabilities, serverInfo: { name: 'x', version: '1' } }
    return json({ jsonrpc: '2.0', id, result })(asked, response)
  }
  const call: Answer = (asked, response) => {
    called += 1
    return begun(asked, response)
  }
  const list: Answer = (asked, response) => (called > 0 && (lists += 1) === 1 ? undefined : begun(asked, response))
  await using server = await startService(serverWith({ initialize: begin, 'tools/list': list, 'tools/call': call }))
  const own = toolsFile({ mcpServers: { s: { url: server.baseUrl } } })
  const answers = [streamed({ call: 's__call', given: '{}' }), streamed('Ok.')]
  await using chat = await openChat(answers, { argv: ['--tools-file', own, '--allow', 's/call'], columns: wide })
  chat.screen.type('one\r')
  await chat.screen.until((lines) => lists === 1 && lines.some((line) => line.includes('asking s for its tools')))
  chat.screen.type(escape)
  await chat.screen.until((lines) => lines.at(-1) === '›')
  await chat.enter('two')
  expect(chat.sent()[1]?.messages.slice(2)).toEqual([
    { role: 'tool', tool_call_id: 'call_0', content: 'called' },
    { role: 'user', content: 'two' },
  ])
})

test.concurrent('a tool that has changed is asked about again, though it was always allowed', async () => {
  const own = toolsFile({ mcpServers: { s: serverOf('list changes') } })
  const calling = (name: string): Answer => streamed({ call: `s__${name}`, given: '{}' })
  const answers = [calling('call'), calling('call'), calling('new'), streamed('Ok.')]
  await using chat = await openChat(answers, { argv: ['--tools-file', own, '-T', 's'], columns: wide })
  const asked = async (tool: string, note: string, key: string): Promise<void> => {
    await chat.screen.until(
      (lines) => lines.includes(`The model calls ${tool}${note} {}`) && lines.at(-1) === '[y/n/a]',
    )
    chat.screen.type(key)
  }
  chat.screen.type('Go\r')
  await asked('s/call', '', 'a')
  await asked('s/call', ', changed since the start,', 'y')
  await asked('s/new', ', added since the start,', 'n')
  await chat.screen.until((lines) => lines.includes('s/new: not run') && lines.includes('Ok.'))
})
