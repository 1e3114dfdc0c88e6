/** Tools that the model calls, in one-shot use: what is run, sent, printed and kept. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Call, chat, dialects, type FamilyFixture } from '../../helpers/dialects.ts'
import { environment, startSyn } from '../../helpers/program.ts'
import { emptyFolder, runSyn, type Outcome, type RunOptions } from '../../helpers/run-syn.ts'
import { chatEvents, events, json, startService, type Answer } from '../../helpers/service.ts'

const tools = {
  weather: {
    description: 'Weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    command: ['echo', '{{city}}: +7'],
  },
  note: { command: ['touch', 'noted'] },
  broken: { command: ['false'] },
  numbers: {
    parameters: { type: 'object', properties: { n: { type: 'array', items: { type: 'number' } } } },
    command: ['cat'],
  },
  hold: {
    parameters: { type: 'object', properties: { file: { type: 'string' } } },
    command: ['sh', '-c', 'echo $$ > "$1"; exec sleep 60', 'sh', '{{file}}'],
  },
}

const file = join(emptyFolder(), 'tools.json')
writeFileSync(file, JSON.stringify({ tools }))

const oslo: Call = { call: 'weather', given: '{"city":"Oslo"}' }

interface Asked extends Outcome {
  sent: { messages: object[]; model?: string; tools?: object[]; [field: string]: unknown }[]
}

async function asked(
  line: string[],
  answers: Answer[],
  dialect: FamilyFixture,
  options: RunOptions = {},
): Promise<Asked> {
  await using service = await startService(...answers)
  const toolsFile = line.some((word) => word === '-T' || word === '--allow') ? ['--tools-file', file] : []
  const argv = ['chat', ...dialect.argv, ...toolsFile, '-m', 'hf:a/b', ...line]
  const outcome = await runSyn(argv, { ...options, env: { ...service.env, ...options.env } })
  // How long a call takes depends on the machine.
  const err = outcome.err.replace(/, \d+\.\d s(?=:|$)/gm, ', 0.0 s')
  return { ...outcome, err, sent: service.asked.map(({ json }) => json as Asked['sent'][number]) }
}

describe.each(dialects)('$name', (dialect) => {
  const { user, assistant, calling, results, streamed } = dialect
  const conversation = (sent: Asked['sent'], at: number): unknown => sent[at]?.messages

  test('the result of a call is sent, and only the last answer is printed', async () => {
    const answers = [streamed('Let me see.', oslo), streamed('It is cold.')]
    const { code, out, err, sent } = await asked(['--allow', 'weather', 'Coat?'], answers, dialect)
    expect({ code, out }).toEqual({ code: 0, out: 'It is cold.\n' })
    expect(err).toBe('Let me see.\nsyn: weather {"city":"Oslo"}: 1 line, 0.0 s\n')
    expect(conversation(sent, 0)).toEqual([user('Coat?')])
    expect(conversation(sent, 1)).toEqual([user('Coat?'), calling('Let me see.', oslo), ...results('Oslo: +7\n')])
    const { description, parameters } = tools.weather
    const definition =
      dialect.name === 'chat'
        ? { type: 'function', function: { name: 'weather', description, parameters } }
        : { name: 'weather', description, input_schema: parameters }
    expect(sent.map((body) => body.tools)).toEqual([[definition], [definition]])
  })

  test('several calls are run in their order; the model learns what failed, did not fit, or does not exist', async () => {
    const calls = [
      oslo,
      { call: 'broken', given: '' },
      { call: 'weather', given: '{"town":"Oslo"}' },
      { call: 'weather', given: '{"city":' },
      { call: 'rm', given: '{}' },
    ]
    const names = ['weather', 'broken', 'note'].flatMap((name) => ['--allow', name])
    const { code, out, err, sent } = await asked([...names, 'Go'], [streamed(...calls), streamed('Done.')], dialect)
    expect({ code, out }).toEqual({ code: 0, out: 'Done.\n' })
    expect(err.split('\n')).toEqual([
      'syn: weather {"city":"Oslo"}: 1 line, 0.0 s',
      'syn: broken {}: failed, 1 line, 0.0 s: [exited with status 1]',
      expect.stringContaining('syn: weather: not run: the arguments do not fit: '),
      'syn: weather: not run: the arguments do not fit: expected a JSON object',
      'syn: rm: not run: there is no tool "rm"',
      '',
    ])
    // Services refuse arguments that are no JSON.
    const repaired = calls.map(({ call, given }) => ({ call, given: ['', '{"city":'].includes(given) ? '{}' : given }))
    expect(conversation(sent, 1)).toEqual([
      user('Go'),
      calling('', ...repaired),
      ...results(
        'Oslo: +7\n',
        { error: expect.stringContaining('exited with status 1') as string },
        { error: expect.stringContaining('the arguments do not fit: ') as string },
        { error: 'the arguments do not fit: expected a JSON object' },
        { error: 'there is no tool "rm"' },
      ),
    ])
  })

  test('numbers reach the tool as numbers, and no call runs with one that JavaScript would change', async () => {
    const calls = ['1.50,1e3,-0,7.0', '12345678901234567890', '1e400'].map((n): Call => ({
      call: 'numbers',
      given: `{"n":[${n}]}`,
    }))
    const { err, sent } = await asked(['--allow', 'numbers', 'Go'], [streamed(...calls), streamed('Ok.')], dialect)
    const refused = /^syn: numbers: not run: the arguments do not fit: a number: 1.* is not accepted; /
    expect(err.split('\n')).toEqual([
      'syn: numbers {"n":[1.5,1000,0,7]}: 1 line, 0.0 s',
      expect.stringMatching(refused),
      expect.stringMatching(refused),
      '',
    ])
    expect(JSON.stringify(sent[1])).toContain(JSON.stringify('{"n":[1.5,1000,0,7]}'))
  })

  test('--max-steps ends with 7, without output, and a file stays as it was', async () => {
    const folder = emptyFolder()
    const path = join(folder, 'answer.txt')
    writeFileSync(path, 'before')
    const line = ['--allow', 'weather', '--max-steps', '2', '-o', path, 'Coat?']
    const { code, out, err, sent } = await asked(line, [streamed('Hm.', oslo)], dialect)
    expect({ code, out, requests: sent.length }).toEqual({ code: 7, out: '', requests: 2 })
    expect(err).toBe(
      'Hm.\nsyn: weather {"city":"Oslo"}: 1 line, 0.0 s\nHm.\n' +
        'syn: no answer after 2 requests: the model calls more tools\nhint: raise the limit with --max-steps\n',
    )
    expect(readFileSync(path, 'utf8')).toBe('before')
  })

  test('the usage is that of all requests', async () => {
    const answers = [streamed({ usage: [10, 5] }, oslo), streamed({ usage: [20, 6] }, 'Yes.')]
    const { err } = await asked(['-u', '--allow', 'weather', 'Coat?'], answers, dialect)
    expect(err).toContain('syn: 2 requests · 30 prompt + 11 completion tokens')
    expect(err.match(/prompt/g)).toHaveLength(1)
  })

  test('-x and -o apply to the last answer', async () => {
    const answers = [streamed('```\nno\n```\n', oslo), streamed('So:\n```\nyes\n```\n')]
    const path = join(emptyFolder(), 'answer')
    const extracted = await asked(['--allow', 'weather', '-x', '-o', path, 'Coat?'], answers, dialect)
    expect(extracted).toMatchObject({ code: 0, out: '' })
    expect(extracted.err).toContain('```\nno\n```\n')
    expect(readFileSync(path, 'utf8')).toBe('yes\n')
  })

  test('--jsonl has the chunks of all answers, and the messages with results as sent', async () => {
    const line = ['--allow', 'weather', '--jsonl', 'Coat?']
    const { out, sent } = await asked(line, [streamed('Hm.', oslo), streamed('Yes.')], dialect)
    const lines = out.trimEnd().split('\n')
    const message = JSON.stringify(sent[1]?.messages.at(-1))
    const at = lines.indexOf(message)
    expect(at).toBeGreaterThan(0)
    expect(lines.slice(0, at).join('')).toContain('Hm.')
    expect(lines.slice(at).join('')).toContain('Yes.')
  })

  test.each([
    ['max_tokens', 'the answer was cut off'],
    ['content_filter', 'the answer ended before its calls could be run'],
  ])('a call of an answer that ended with %s is neither run nor printed', async (reason, error) => {
    const cut = streamed({ call: 'note', given: '{}' })
    const limited: Answer = (one, response) => {
      const { end } = response
      response.end = ((text: string) =>
        end.call(
          response,
          text.replace(/(finish|stop)_reason":"tool_\w+"/, `$1_reason":"${reason}"`),
          'utf8',
        )) as typeof end
      return cut(one, response)
    }
    const { code, out, err, sent } = await asked(['--allow', 'note', 'Go'], [limited], dialect)
    expect({ code, out, requests: sent.length }).toEqual({ code: 7, out: '', requests: 1 })
    expect(err).toContain(`syn: ${error}`)
    expect(existsSync('noted')).toBe(false)
  })

  test('a conversation keeps all of it, and continues with and without the tools', async () => {
    const env = { HOME: emptyFolder() }
    const answers = [streamed('Hm.', oslo), streamed('Yes.')]
    await asked(['--save', '--allow', 'weather', 'Coat?'], answers, dialect, { env })
    const { out } = await runSyn(['sessions', 'show', 'last', '--json'], { env })
    expect((JSON.parse(out) as { role: string }[]).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ])
    const { sent } = await asked(['-c', 'Sure?'], [streamed('Sure.')], dialect, { env })
    const before = [user('Coat?'), calling('Hm.', oslo), ...results('Oslo: +7\n'), assistant('Yes.')]
    expect(conversation(sent, 0)).toEqual([...before, user('Sure?')])
  })

  test('results without an answer stay: without a prompt they are sent again', async () => {
    const env = { HOME: emptyFolder() }
    const failing: Answer = (_asked, response) => void response.writeHead(400).end('{"error":{"message":"no"}}')
    const first = await asked(['--save', '--allow', 'weather', 'Coat?'], [streamed(oslo), failing], dialect, { env })
    expect(first).toMatchObject({ code: 1, out: '' })
    const exchange = [user('Coat?'), calling('', oslo), ...results('Oslo: +7\n')]
    const again = await asked(['-c'], [failing], dialect, { env })
    expect(again.sent[0]?.messages).toEqual(exchange)
    const { sent } = await asked(['-c', 'And Rome?'], [streamed('Ok.')], dialect, { env })
    const roles = sent[0]?.messages.map((message) => (message as { role: string }).role)
    // There, results and what follows are one message.
    expect(roles).toEqual(['user', 'assistant', ...(dialect.name === 'chat' ? ['tool', 'user'] : ['user'])])
    expect(JSON.stringify(sent[0])).toContain('Oslo: +7')
  })

  test('after --fallback, the results go to the model that called', async () => {
    let calls = 0
    const answer: Answer = (one, response) => {
      const { model } = one.json as { model?: string }
      if (model !== 'syn:large:text')
        return json({ error: { message: `The model ${model} is gone` } }, 404)(one, response)
      return streamed(calls++ === 0 ? oslo : 'Yes.')(one, response)
    }
    const line = ['--fallback', '--allow', 'weather', 'Coat?']
    const { code, err, sent } = await asked(line, [withModels(answer)], dialect)
    expect(code).toBe(0)
    expect(err.match(/using syn:large:text/g)).toHaveLength(1)
    expect(sent.filter((body) => body?.messages).map(({ model }) => model)).toEqual([
      'hf:a/b',
      'syn:large:text',
      'syn:large:text',
    ])
  })

  test('a forced call is not forced again', async () => {
    const choice = dialect.name === 'chat' ? 'tool:weather' : 'any'
    const { sent } = await asked(
      ['--allow', 'weather', '--tool-choice', choice, 'Coat?'],
      [streamed(oslo), streamed('Yes.')],
      dialect,
    )
    expect(sent.map((body) => body.tool_choice !== undefined)).toEqual([true, false])
  })
})

test('a killed run leaves a call without a result, which is not sent again', async () => {
  const held = join(emptyFolder(), 'held')
  const hold: Call = { call: 'hold', given: JSON.stringify({ file: held }) }
  await using service = await startService(chat.streamed('Hm.', hold))
  const env = environment(service)
  const line = ['chat', '--save', '--tools-file', file, '-m', 'hf:a/b', '--allow', 'hold', 'Go']
  const { child, ended } = startSyn(line, env)
  const pid = (): number => (existsSync(held) ? Number(readFileSync(held, 'utf8')) : 0)
  await expect.poll(pid).toBeGreaterThan(0)
  child.kill('SIGKILL')
  await ended
  process.kill(pid(), 'SIGKILL')
  const { sent } = await asked(['-c', 'Next'], [chat.streamed('Ok.')], chat, { env: { HOME: env.HOME ?? '' } })
  expect(sent[0]?.messages).toEqual([chat.user('Go'), chat.assistant('Hm.'), chat.user('Next')])
})

test('SIGTERM during a call ends the run and the tool', async () => {
  const held = join(emptyFolder(), 'held')
  const hold: Call = { call: 'hold', given: JSON.stringify({ file: held }) }
  await using service = await startService(chat.streamed(hold))
  const line = ['chat', '--tools-file', file, '-m', 'hf:a/b', '--allow', 'hold', 'Go']
  const { child, ended } = startSyn(line, environment(service))
  const pid = (): number => (existsSync(held) ? Number(readFileSync(held, 'utf8')) : 0)
  await expect.poll(pid).toBeGreaterThan(0)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 143, out: '' })
  await expect.poll(() => isRunning(pid())).toBe(false)
})

/** A service that also lists its models. */
function withModels(answer: Answer): Answer {
  return (one, response) => (one.method === 'GET' ? json({ data: [] }) : answer)(one, response)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a schema is checked in the last answer only', async () => {
  const line = ['--schema', '{"type":"object"}', '--allow', 'weather', 'Coat?']
  const { code, out } = await asked(line, [chat.streamed('Hm.', oslo), chat.streamed('{"coat":true}')], chat)
  expect({ code, out }).toEqual({ code: 0, out: '{"coat":true}\n' })
})

test.each<[line: string[], error: string]>([
  [
    ['--tools-file', file],
    '--tools-file alone offers no tool to the model\nhint: name each tool with -T NAME, or with --allow NAME to run it without asking',
  ],
  [['-T', 'weather'], 'cannot ask before a tool runs: standard input is not a terminal\nhint: use --allow weather'],
  [
    ['--allow', 'nosuch'],
    `no tool or server "nosuch" in ${file}\nhint: available: "weather", "note", "broken", "numbers", "hold", "search"`,
  ],
  [['--allow', 'weather', '-p', 'tools=[]'], 'tools in the request and tools that syn runs cannot be combined'],
])('%j is refused before anything is sent', async (line, error) => {
  const { code, out, err, sent } = await asked([...line, 'Hi'], [chat.streamed('no')], chat)
  expect({ code, out, err, requests: sent.length }).toEqual({ code: 2, out: '', err: `syn: ${error}\n`, requests: 0 })
})

test('--allow wins over -T', async () => {
  const line = ['-T', 'weather', '--allow', 'weather', 'Coat?']
  const { code, out } = await asked(line, [chat.streamed(oslo), chat.streamed('Yes.')], chat)
  expect({ code, out }).toEqual({ code: 0, out: 'Yes.\n' })
})

test('syn messages runs tools, too', async () => {
  const messages = dialects[1]
  if (!messages) throw new Error('no dialect')
  await using service = await startService(messages.streamed('Hm.', oslo), messages.streamed('Yes.'))
  const argv = ['messages', '--tools-file', file, '--allow', 'weather', '-m', 'hf:a/b', '-s', 'Be brief.', 'Coat?']
  const { code, out } = await runSyn(argv, { env: service.env })
  expect({ code, out }).toEqual({ code: 0, out: 'Yes.\n' })
  expect(service.asked[1]?.json).toMatchObject({
    system: 'Be brief.',
    messages: [messages.user('Coat?'), messages.calling('Hm.', oslo), ...messages.results('Oslo: +7\n')],
  })
})

test('each call that is sent back has an id of its own, and one that came twice is one', async () => {
  const called = { type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }
  const other = { type: 'function', function: { name: 'weather', arguments: '{ "city": "Oslo" }' } }
  const calls = [
    { index: 0, id: 'call_1', ...called },
    { index: 1, id: '', ...called },
    { index: 2, id: 'call_1', ...other },
    { index: 3, id: 'call_1', ...called },
  ]
  const answer = chatEvents({ choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: 'tool_calls' }] })
  const { sent } = await asked(['--allow', 'weather', 'Coats?'], [events(answer), chat.streamed('Ok.')], chat)
  const ids = ['call_1', 'call_1_1', 'call_1_2']
  expect(sent[1]?.messages.slice(1)).toEqual([
    { role: 'assistant', content: '', tool_calls: ids.map((id, at) => ({ id, ...(at < 2 ? called : other) })) },
    ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: 'Oslo: +7\n' })),
  ])
})

test('a tool_choice of a tool that is not offered is refused', async () => {
  const line = ['--allow', 'weather', '--tool-choice', 'tool:wether', 'Coat?']
  const err = 'syn: tool_choice: "wether" is not accepted; expected weather (did you mean weather?)\n'
  expect(await asked(line, [chat.streamed('Ok.')], chat)).toEqual({ code: 2, out: '', err, sent: [] })
})

test('a call of another choice than the first is printed, and the answer is whole', async () => {
  const called = { index: 0, id: 'a', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }
  const answer = chatEvents({
    choices: [
      { index: 0, delta: { content: 'Yes.' }, finish_reason: 'stop' },
      { index: 1, delta: { tool_calls: [called] }, finish_reason: 'tool_calls' },
    ],
  })
  const { code, out, sent } = await asked(['--allow', 'weather', '--n', '2', 'Coat?'], [events(answer)], chat)
  expect({ code, requests: sent.length }).toEqual({ code: 0, requests: 1 })
  expect(out).toContain('Yes.')
  expect(out).toContain('weather({"city":"Oslo"})')
})
