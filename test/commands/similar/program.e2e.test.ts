/** `syn similar` as a process: signals, two runs at once, a question and tools. */

import { mkdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { model, textsOf } from '../../helpers/embed.ts'
import { chat } from '../../helpers/dialects.ts'
import { environment, program, startSyn } from '../../helpers/program.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'
import { json, startService, testKey } from '../../helpers/service.ts'
import {
  answersUntil,
  cleanRun,
  linesOf,
  manyFiles,
  manyLines,
  question,
  rankAll,
  startSearch,
  textsIn,
  vectorOf,
  wellBehaved,
} from '../../helpers/similar.ts'
import { synOnTerminal } from '../../helpers/terminal.ts'
import { toolsFile } from '../../helpers/tools.ts'

test('SIGKILL keeps what arrived: the next run sends what was in flight, and the rest', async () => {
  await using search = await startSearch(manyFiles)
  const clean = await cleanRun(search)
  const { child, ended } = search.start(rankAll)
  // Four requests are in flight, the last of which is sent only when all before them are stored.
  search.answer = answersUntil(6, (request) => void (request === 9 && child.kill('SIGKILL')))
  const err = 'syn: embedding 640 of 640 parts (first time only)\n'
  expect(await ended).toEqual({ code: null, signal: 'SIGKILL', out: '', err })
  search.answer = wellBehaved
  expect(await search.start(rankAll).ended).toMatchObject({
    code: 0,
    out: clean,
    err: 'syn: embedding 384 of 640 parts (first time only)\n',
  })
  // Requests run at the same time, so a later one may arrive first.
  expect(textsIn(search).toSorted()).toEqual(manyLines.slice(640 - 384).toSorted())
})

test('Ctrl-C ends the wait for the lock of a run that was killed', async () => {
  await using search = await startSearch({ 'a.txt': 'a cat' })
  await search.search()
  search.write({ 'a.txt': 'a dog' })
  mkdirSync(`${search.cacheFile('keys')}.lock`)
  const { child, ended } = search.start()
  // The reply is there, and the lock becomes stale in five seconds.
  search.answer = (texts, request) => async (asked, response) => {
    if (request === 2) response.once('close', () => child.kill('SIGINT'))
    await wellBehaved(texts, request)(asked, response)
  }
  expect(await ended).toMatchObject({ code: 130, out: '' })
})

test('two runs at once print the same, and leave a cache with each text once', async () => {
  await using search = await startSearch(manyFiles)
  const clean = await cleanRun(search)
  const waiting: (() => void)[] = []
  // Both have opened the cache before either can write.
  search.answer = (texts, request) => (asked, response) => {
    const answer = (): unknown => wellBehaved(texts, request)(asked, response)
    if (texts[0] !== question) return void answer()
    waiting.push(answer)
    if (waiting.length === 2) for (const one of waiting) one()
  }
  const runs = await Promise.all([search.start(rankAll).ended, search.start(rankAll).ended])
  for (const run of runs) expect(run).toMatchObject({ code: 0, out: clean })
  expect(statSync(search.cacheFile('keys')).size).toBe(16 * manyLines.length)
  expect(statSync(search.cacheFile('vectors')).size).toBe(16 * manyLines.length)
  search.answer = wellBehaved
  expect(await search.search(rankAll)).toMatchObject({ code: 0, out: clean, err: '', sent: [[question]] })
})

test.each<[key: string, code: number, sent: number]>([
  // Refused, which ends it.
  ['y', 3, 1],
  ['n', 1, 0],
])('on a terminal, more than 20,000 parts are sent after a question: %s', async (key, code, sent) => {
  await using search = await startSearch({ 'a.txt': linesOf(20_001).join('\n') })
  search.answer = () => json({ error: 'bad key' }, 401)
  const screen = synOnTerminal(['similar', '--lines', '-n', '1', question, search.folder], search.env)
  const asking = '20001 parts to embed, in 313 requests. Go on? [y]es, [n]o:'
  await screen.until((rows) => rows.includes(asking))
  expect(search.sent).toEqual([])
  screen.type(key)
  expect(await screen.ended).toBe(code)
  if (key === 'n') expect(screen.lines()).toContain('syn: nothing was sent')
  expect(search.sent).toHaveLength(sent)
})

/** What the man page shows, with the folder of the test. */
test('a model searches with a tool, and gets path and line', async () => {
  await using search = await startSearch({
    'notes/lock.md': '# Lock\n\nThe cat stays.\n\nThe dog left.\n',
    'notes/other.md': 'A ship sails.\n',
  })
  const given = '{"query":"cat"}'
  const answers = [chat.streamed('', { call: 'notes', given }), chat.streamed('It stays.')]
  let conversation: object = {}
  await using service = await startService((asked, response) => {
    if (asked.path.endsWith('/embeddings')) {
      const data = textsOf(asked).map((text, index) => ({ index, embedding: vectorOf(text) }))
      return json({ data })(asked, response)
    }
    if (!asked.path.endsWith('/chat/completions')) return json({ error: 'not found' }, 404)(asked, response)
    conversation = asked.json as object
    return answers.shift()?.(asked, response)
  })
  // Tools get no variable of syn: what is called needs a login.
  const bin = emptyFolder()
  symlinkSync(program, join(bin, 'syn'))
  const { PATH = '', ...others } = environment()
  const env = { ...others, PATH: `${bin}:${PATH}` }
  const login = ['login', '--no-verify', '--base-url', service.baseUrl, '--with-key']
  expect(await runSyn(login, { env, stdin: testKey })).toMatchObject({ code: 0 })
  expect(await runSyn(['config', 'set', 'embed-model', model], { env })).toMatchObject({ code: 0 })
  const parameters = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] }
  const command = ['syn', 'similar', '--limit', '2', '{{query}}', join(search.folder, 'notes/*.md')]
  const file = toolsFile({ tools: { notes: { description: 'Search my notes by meaning', parameters, command } } })
  const argv = ['chat', '-m', 'hf:a/b', '--tools-file', file, '--allow', 'notes', 'Which animal stays?']
  expect(await startSyn(argv, env).ended).toMatchObject({ code: 0, out: 'It stays.\n' })
  const rows = ['1.0000\tlock.md:1\t# Lock  The cat stays.\n', '0.0000\tlock.md:5\tThe dog left.\n']
  const content = rows.map((row) => row.replace('lock', `${search.folder}/notes/lock`)).join('')
  expect(conversation).toMatchObject({ messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'tool', content }] })
})
