/** `syn login` as the built program on a pseudo-terminal. */

import { existsSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { environment, synCommand } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { json, startService, testKey } from '../helpers/service.ts'
import { onTerminal, synOnTerminal } from '../helpers/terminal.ts'
import { configPath, storedIn } from './stored.ts'

interface Seen {
  code: number
  screen: string
}

/** The text on one line: its line breaks depend on the length of paths. */
function unwrapped(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/\s+(│\s+)*/g, ' ')
}

/** Runs the program, and types each answer once its question is shown. */
async function atTerminal(
  home: string,
  argv: string[],
  answers: [question: string | RegExp, keys: string][],
  others: Record<string, string> = {},
): Promise<Seen> {
  const env = { ...environment(), HOME: home, ...others }
  const screen = synOnTerminal(argv, env, { columns: 100, rows: 30, term: 'xterm' })
  let seen = 0
  for (const [question, keys] of answers) {
    await screen.until(() => unwrapped(screen.written().slice(seen)).search(question) !== -1)
    seen = screen.written().length
    screen.type(keys)
  }
  return { code: await screen.ended, screen: screen.written() }
}

test('prompts for base URL and key, and hides the key', async () => {
  await using service = await startService(json({}))
  const home = emptyFolder()
  const { code, screen } = await atTerminal(
    home,
    ['login'],
    [
      ['Base URL', `${service.baseUrl}/openai/v1\r`],
      ['API key', `${testKey}\r`],
    ],
  )
  expect(screen).toContain('the key works')
  expect(screen).not.toContain(testKey)
  expect(screen).not.toContain(testKey.slice(-4))
  expect(code).toBe(0)
  expect(storedIn(home)).toEqual({ profiles: { default: { 'base-url': service.baseUrl, 'api-key': testKey } } })
})

test('after a wrong key only the key is asked for again', async () => {
  await using service = await startService((asked, response) => {
    const isRight = asked.headers.authorization === `Bearer ${testKey}`
    return (isRight ? json({}) : json({ error: 'Bad key' }, 401))(asked, response)
  })
  const home = emptyFolder()
  const wrong = 'sk-wrong-0123456789'
  const { code, screen } = await atTerminal(
    home,
    ['login'],
    [
      ['Base URL', `${service.baseUrl}\r`],
      ['API key', `${wrong}\r`],
      [/enter the API key again, or press Ctrl-C to leave.+API key/, `${testKey}\r`],
    ],
  )
  expect(unwrapped(screen)).toContain('syn: Bad key (401 Unauthorized) hint: enter the API key again')
  expect(unwrapped(screen)).toContain('the key works')
  expect(screen).not.toContain(wrong)
  expect(code).toBe(0)
  expect(storedIn(home)).toEqual({ profiles: { default: { 'base-url': service.baseUrl, 'api-key': testKey } } })
})

test('after an invalid base URL, a key typed together with it waits for its own question', async () => {
  await using service = await startService(json({}))
  const home = emptyFolder()
  const { code, screen } = await atTerminal(
    home,
    ['login'],
    [
      ['Base URL', `http://api.example.com\r${testKey}\r`],
      ['refusing to send', `\x15${service.baseUrl}\r`],
    ],
  )
  expect({ code, screen }).toEqual({ code: 0, screen: expect.not.stringContaining(testKey.slice(-8)) })
  expect(storedIn(home).profiles.default).toEqual({ 'base-url': service.baseUrl, 'api-key': testKey })
})

test('what is typed before the first question is not lost', async () => {
  await using service = await startService(json({}))
  const home = emptyFolder()
  const line = `stty -echo; printf ready; read -r _; exec ${synCommand} login`
  const screen = onTerminal('sh', ['-c', line], { ...environment(), HOME: home })
  await screen.until((lines) => lines.join('') === 'ready')
  // The first line starts the program, the others are there before it.
  screen.type(`\r${service.baseUrl}\r${testKey}\r`)
  expect(await screen.ended).toBe(0)
  expect(storedIn(home).profiles.default).toEqual({ 'base-url': service.baseUrl, 'api-key': testKey })
})

test.each([
  ['Ctrl-C', '\x03'],
  ['Escape', '\x1b'],
])('%s exits with 130 and stores nothing', async (_what, keys) => {
  const home = emptyFolder()
  const { code, screen } = await atTerminal(home, ['login', '--base-url=https://api.invalid'], [['API key', keys]])
  expect({ code, screen }).toEqual({ code: 130, screen: expect.not.stringContaining('syn:') })
  expect(existsSync(configPath(home))).toBe(false)
})
