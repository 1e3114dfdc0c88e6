/** `syn tools list`, and the exit statuses of `syn tools run`. */

import { expect, test } from 'vitest'
import { runSyn } from '../helpers/run-syn.ts'
import { json, startService } from '../helpers/service.ts'
import { toolsFile } from '../helpers/tools.ts'

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

const file = toolsFile({
  tools: { weather: { description: 'Weather\nof a city', parameters, command: ['true', '{{city}}'] } },
  mcpServers: {
    files: { command: 'npx', args: ['-y', 'a server'], disabled: true, type: 'stdio' },
    docs: { url: 'https://example.com/mcp?k=${TOKEN}', headers: { Authorization: '${TOKEN}' } },
  },
})

test('the list of the file starts nothing, and expands nothing', async () => {
  const { out } = await runSyn(['tools', 'list', '--tools-file', file], { env: { TOKEN: 'secret' } })
  expect(out.split('\n')).toEqual([
    'weather\tcommand\t\tWeather of a city',
    "files\tserver\t\tnpx -y 'a server'",
    'docs\tserver\t\thttps://example.com/mcp?k=${TOKEN}',
    'search\tsearch\t\tThe web search of the service',
    '',
  ])
  const screen = await runSyn(['tools', '--tools-file', file], {
    isTerminal: true,
    env: { NO_COLOR: '1' },
  })
  expect(screen.out.split('\n').slice(0, 2)).toEqual([
    'NAME     KIND     DESCRIPTION',
    'weather  command  Weather of a city',
  ])
})

test.each<[argv: string[], code: number, err: string]>([
  [
    ['wether'],
    2,
    `no tool or server "wether" in ${file} (did you mean weather?)\nhint: available: "weather", "files", "docs", "search"`,
  ],
  [['weather', '{"city":1}'], 2, 'ARGUMENTS: $.city must be string'],
  [['weather', '["Oslo"]'], 2, 'ARGUMENTS: ["Oslo"] is not accepted; expected a JSON object'],
  [['weather', '{"city":'], 2, 'ARGUMENTS: not valid JSON at line 1, column 9: Unexpected end of JSON input'],
  [['weather', 'Oslo'], 2, 'ARGUMENTS: "Oslo" is neither JSON nor a file'],
])('syn tools run %j', async (argv, code, err) => {
  const ended = await runSyn(['tools', 'run', '--tools-file', file, ...argv])
  expect(ended).toEqual({ code, out: '', err: `syn: ${err}\n` })
})

test('a tool that is named twice is offered once', async () => {
  const named = ['-T', 'weather', '--tool', 'weather', '--allow', 'weather']
  const { out } = await runSyn(['chat', '--dry-run', '--tools-file', file, ...named, 'hi'])
  expect(JSON.parse(out)).toMatchObject({ tools: [{ function: { name: 'weather' } }] })
})

test('a pattern that takes years is given up', async () => {
  const slow = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
  const tools = toolsFile({ tools: { t: { command: ['true'], parameters: slow } } })
  const { code, err } = await runSyn(['tools', 'run', '--tools-file', tools, 't', `{"a":"${'a'.repeat(60)}!"}`])
  expect([code, err]).toEqual([2, 'syn: ARGUMENTS: they cannot be checked: it takes longer than 400 ms\n'])
})

test('the search needs no file', async () => {
  const results = [
    { url: 'https://a.example', title: 'A', published: '2026-01-02', text: 'About a' },
    { url: 'https://b.example' },
  ]
  await using service = await startService(json({ results }), json({ results: [] }), json({ error: 'no luck' }, 400))
  const search = async (): Promise<[number, string, string]> => {
    const { code, out, err } = await runSyn(['tools', 'run', 'search', '{"query":"a b"}'], { env: service.env })
    return [code, out, err]
  }
  expect(await search()).toEqual([0, 'https://a.example\nA\n2026-01-02\nAbout a\n\nhttps://b.example\n', ''])
  expect(service.asked.map((one) => one.json)).toEqual([{ query: 'a b' }])
  expect(await search()).toEqual([0, 'no results\n', ''])
  expect(await search()).toEqual([1, '', expect.stringMatching(/^syn: search failed: .*no luck/)])
})

test('with a wrong key, a search has the exit status and the hint of syn search', async () => {
  await using service = await startService(json({ error: 'invalid key' }, 401))
  const { env } = service
  const [ran, searched] = [
    await runSyn(['tools', 'run', '--retries', '0', 'search', '{"query":"a"}'], { env }),
    await runSyn(['search', '--retries', '0', 'a'], { env }),
  ]
  expect(ran.code).toBeGreaterThan(2)
  expect({ ...ran, err: ran.err.replace('search failed: ', '') }).toEqual(searched)
})
