/** A terminal that is closed while it does not control the run, which gets no SIGHUP: as in `setsid syn`, or after disown. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chat } from '../helpers/dialects.ts'
import { homeWithConversations } from '../helpers/conversations.ts'
import { environment, node, program } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { startService } from '../helpers/service.ts'
import { onTerminal, type Screen } from '../helpers/terminal.ts'

/** Runs the program in a session of its own. Its arguments: the file for its exit status, one for its output, the command line. */
const script = `const [ended, out, ...argv] = process.argv.slice(1)
process.on('SIGHUP', () => undefined)
const stdio = ['inherit', out === '' ? 'inherit' : require('node:fs').openSync(out, 'w'), 'inherit']
require('node:child_process').spawn(process.execPath, argv, { stdio, detached: true })
  .on('exit', (code, signal) => require('node:fs').writeFileSync(ended, String(signal ?? code)))`

function startIn(out: string, argv: readonly string[], env: Record<string, string>): [Screen, () => string] {
  const ended = join(emptyFolder(), 'ended')
  const screen = onTerminal(node, ['-e', script, ended, out, program, ...argv], env)
  return [screen, () => (existsSync(ended) ? readFileSync(ended, 'utf8') : '')]
}

test('an answer that goes to a file is whole, with status 0', async () => {
  const paced = chat.paced()
  await using service = await startService(paced.answer)
  const out = join(emptyFolder(), 'out.txt')
  const [screen, ended] = startIn(out, ['chat', '-q', '--no-stdin', 'hi'], environment(service))
  await paced.asked
  screen.hangUp()
  await paced.finish('Hello')
  await expect.poll(ended).toBe('0')
  expect(readFileSync(out, 'utf8')).toBe('Hello\n')
})

test('a question ends the run as SIGHUP does', async () => {
  const home = homeWithConversations({ id: '20261121-090000-aaaaaa', turns: [['one', 'two']] })
  const [screen, ended] = startIn('', ['sessions', 'rm', 'last'], { ...environment(), HOME: home })
  await screen.until((lines) => lines.some((line) => line.includes('Remove')))
  screen.hangUp()
  await expect.poll(ended).toBe('129')
})
