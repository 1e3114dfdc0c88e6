/** What servers of tools say and send besides text: instructions, lists that change, and images. */

import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Call, dialects, type FamilyFixture, type Piece } from '../../helpers/dialects.ts'
import { emptyFolder, type Outcome, runSyn } from '../../helpers/run-syn.ts'
import { type Answer, json, startService } from '../../helpers/service.ts'
import { toolsFile } from '../../helpers/tools.ts'
import { type Message, serverWith } from '../../helpers/web-server.ts'

const script = fileURLToPath(new URL('../../fixtures/mcp/server.mjs', import.meta.url))

function fileWith(fault: string): string {
  return toolsFile({ mcpServers: { s: { command: process.execPath, args: [script, fault] } } })
}

interface Sent {
  model: string
  system?: unknown
  messages: { role: string; content: unknown; [key: string]: unknown }[]
  tools: { name?: string; function?: { name: string } }[]
}

type Run = (line: string[], ...answers: Answer[]) => Promise<Outcome & { sent: Sent[] }>

/** Several runs, with one home. @param inputs What `hf:a/b` takes, if the list has it. */
function runner(file: string, inputs?: string[]): Run {
  const HOME = emptyFolder()
  const rows = inputs ? [{ id: 'hf:a/b', input_modalities: inputs }] : []
  return async (line, ...answers) => {
    await using service = await startService((asked, response) => {
      if (asked.method !== 'GET') return answers.shift()?.(asked, response)
      return json({ data: [...rows, { id: 'hf:other/text', input_modalities: ['text'] }] })(asked, response)
    })
    const named = line.includes('--allow') ? ['--tools-file', file] : []
    const argv = ['chat', '-m', 'hf:a/b', ...named, ...line]
    const env = { ...service.env, PATH: process.env.PATH ?? '', HOME }
    // Each run has a service of its own, whose list is to be known.
    if (line.includes('-c')) await runSyn(['models'], { env })
    const outcome = await runSyn(argv, { env })
    const err = outcome.err.replace(/, \d+\.\d s(?=:|$)/gm, ', 0.0 s')
    const sent = service.asked.filter(({ method }) => method === 'POST').map((asked) => asked.json as Sent)
    return { ...outcome, err, sent }
  }
}

const namesOf = ({ tools }: Sent): (string | undefined)[] => tools.map((one) => one.function?.name ?? one.name)

describe.each(dialects)('$name', ({ name, argv, streamed, user }) => {
  const isChat = name === 'chat'

  test('instructions stand before the system prompt, as text of the server, in each request and in no conversation', async () => {
    const run = runner(fileWith('orders'))
    const call = { call: 's__call', given: '{}' }
    const line = [...argv, '--save', '--allow', 's', '-s', 'Be brief', 'Go']
    const { sent } = await run(line, streamed(call), streamed('Ok.'))
    const systems = sent.map(({ system, messages }) => (isChat ? messages[0]?.content : system) as string)
    const [first = ''] = systems
    expect(systems[1]).toBe(first)
    expect(first).toMatch(
      /^The server s says of its tools:\n> Run every tool[^\n]*\n> [^\n]*\u2028> The user allows all/,
    )
    expect(first).toMatch(/\n> x+\n\nBe brief$/)
    expect(first.length).toBeLessThan(2100)
    const next = (await run([...argv, '-c', 'And?'], streamed('Yes.'))).sent[0]
    expect(JSON.stringify(next)).toContain('Be brief')
    expect(JSON.stringify(next)).not.toContain('says of its tools')
  })

  test('a list that changes is read again; what was allowed and has changed is not run without a question', async () => {
    const [one, two] = [
      { call: 's__call', given: '{}' },
      { call: 's__new', given: '{}' },
    ]
    const { sent, err, code } = await runner(fileWith('list changes'))(
      [...argv, '--allow', 's', 'Go'],
      streamed(one),
      streamed(one, two),
      streamed('Ok.'),
    )
    expect(code).toBe(0)
    expect(sent.map(namesOf)).toEqual([
      ['s__call', 's__old'],
      ['s__call', 's__new'],
      ['s__call', 's__new'],
    ])
    expect(err).toBe(
      'syn: s/call {}: 1 line, 0.0 s\n' +
        'syn: The model calls s/call, changed since the start, {}: nobody can be asked\ns/call: not run\n' +
        'syn: The model calls s/new, added since the start, {}: nobody can be asked\ns/new: not run\n',
    )
  })

  test('a tool that was named alone is the only one, and none when it is gone', async () => {
    const old = { call: 's__old', given: '{}' }
    const { sent, err } = await runner(fileWith('list changes'))(
      [...argv, '--allow', 's/old', 'Go'],
      streamed(old),
      streamed(old),
      streamed('Ok.'),
    )
    expect(sent.map((body) => ('tools' in body ? namesOf(body) : 'none'))).toEqual([['s__old'], 'none', 'none'])
    expect(err).toContain('syn: s__old: not run: there is no tool "s__old"\n')
  })

  const url =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const images: Call = { call: 's__images', given: '{}' }
  const text = '[image/png of 1 KiB]\n[image/png of 1 KiB]\n[image/svg+xml left out]'

  test('images follow the results of a model that takes them, and stay in the conversation with either API', async () => {
    const run = runner(fileWith(''), ['text', 'image'])
    const line = [...argv, '--save', '--allow', 's', 'Look']
    const { sent, err } = await run(line, streamed(images, images), streamed('Red.'))
    expect(err).toBe('syn: s/images {}: 3 lines, image/png of 1 KiB, image/png of 1 KiB, 0.0 s\n'.repeat(2))
    const last = sent[1]?.messages.slice(2)
    const note = { type: 'text', text: 'The images of the results above, which are not from the user:' }
    const part = isChat
      ? { type: 'image_url', image_url: { url } }
      : { type: 'image', source: { type: 'base64', media_type: 'image/png', data: url.split(',')[1] } }
    const behind = [note, part, part, part, part]
    const results = ['call_0', 'call_1'].map((id) =>
      isChat
        ? { role: 'tool', tool_call_id: id, content: text }
        : { type: 'tool_result', tool_use_id: id, content: text },
    )
    const shown = isChat
      ? [...results, { role: 'user', name: 'tool_results', content: behind }]
      : [{ role: 'user', content: [...results, ...behind] }]
    expect(last).toEqual(shown)
    const again = await run([...argv, '-c', 'Sure?'], streamed('Yes.'))
    expect(again.sent[0]?.messages.slice(2)).toEqual([...shown, { role: 'assistant', content: 'Red.' }, user('Sure?')])
    for (const other of dialects) {
      const { code, sent } = await run([...other.argv, '-c', 'And?'], other.streamed('Yes.'))
      expect([code, JSON.stringify(sent[0]).split(url.split(',')[1] ?? '').length - 1]).toEqual([0, 4])
    }
    const [plain, gone] = [['-m', 'hf:other/text'], json({ error: { message: 'no such model' } }, 404)]
    for (const other of dialects) {
      const line = [...other.argv, '-c', '--no-save', 'And?']
      const switched = await run([...line, ...plain], other.streamed('Yes.'))
      const fallen = await run([...line, '--fallback=hf:other/text'], gone, other.streamed('Yes.'))
      expect([switched.code, fallen.code]).toEqual([0, 0])
      expect(JSON.stringify(fallen.sent[0])).toContain('base64')
      const [text, later] = [switched.sent[0], fallen.sent[1]].map((one) => JSON.stringify(one?.messages))
      expect(text).toBe(later)
      expect(text).not.toContain('base64')
      expect(text).toContain('[image/png of 1 KiB]')
      expect(text).toContain('Sure?')
      const own = await run([...line, ...plain, '-i', 'https://a.example/1'])
      expect(own).toMatchObject({ code: 2, sent: [], err: expect.stringContaining('takes no images') as string })
    }
  })

  test.each([
    ['text only', ['text']],
    ['not in the list', undefined],
  ])('images are not sent to a model that is %s', async (_what, inputs) => {
    const { sent, err } = await runner(fileWith(''), inputs)(
      [...argv, '--allow', 's', 'Look'],
      streamed(images),
      streamed('No.'),
    )
    expect(err).toContain('syn: 2 images not sent: the list does not say that hf:a/b takes images\n')
    expect(JSON.stringify(sent[1]?.messages)).toContain(JSON.stringify(`${text}\n[2 images not sent]`).slice(1, -1))
    expect(JSON.stringify(sent[1])).not.toContain('base64')
  })
})

const [chat] = dialects as [FamilyFixture]
const streamed = (...pieces: Piece[]): Answer => chat.streamed(...pieces)

test('over HTTP, where no stream of notifications is opened, a list that may change is read again after a call', async () => {
  let called = 0
  const reply = (result: (asked: Message) => object): Answer => {
    return (asked, response) => {
      const message = asked.json as Message
      return json({ jsonrpc: '2.0', id: message.id, result: result(message) })(asked, response)
    }
  }
  const info = { capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'x', version: '1' } }
  const tools = (): object[] =>
    ['call', ...(called > 0 ? ['more'] : [])].map((name) => ({ name, inputSchema: { type: 'object' } }))
  await using server = await startService(
    serverWith({
      initialize: reply(({ params }) => ({ ...info, protocolVersion: params?.protocolVersion })),
      'tools/list': reply(() => ({ tools: tools() })),
      'tools/call': reply(() => ({ content: [{ type: 'text', text: `called ${(called += 1)}` }] })),
    }),
  )
  const run = runner(toolsFile({ mcpServers: { s: { url: server.baseUrl } } }))
  const { sent } = await run(['--allow', 's', 'Go'], streamed({ call: 's__call', given: '{}' }), streamed('Ok.'))
  expect(sent.map(namesOf)).toEqual([['s__call'], ['s__call', 's__more']])
})

test('a list is not read again where the session has ended: the next call begins another one', async () => {
  let sessions = 0
  let lists = 0
  const begun = serverWith()
  const reply: Answer = (asked, response) => {
    const { id, params } = asked.json as Message
    const capabilities = { tools: { listChanged: true } }
    const result = { protocolVersion: params?.protocolVersion, capabilities, serverInfo: { name: 'x', version: '1' } }
    response.setHeader('mcp-session-id', `${(sessions += 1)}`)
    return json({ jsonrpc: '2.0', id, result })(asked, response)
  }
  const list: Answer = (asked, response) =>
    (lists += 1) === 2 ? json({}, 404)(asked, response) : begun(asked, response)
  await using server = await startService(serverWith({ initialize: reply, 'tools/list': list }))
  const run = runner(toolsFile({ mcpServers: { s: { url: server.baseUrl } } }))
  const call = streamed({ call: 's__call', given: '{}' })
  const { err } = await run(['--allow', 's', 'Go'], call, call, streamed('Ok.'))
  expect([err, sessions]).toEqual(['syn: s/call {}: 1 line, 0.0 s\n'.repeat(2), 2])
})
