/** A pipe that nothing arrives on is waited for, with a warning, also with -q. */

import { expect, test } from 'vitest'
import { environment, quoted, start, synCommand, type Ended } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'

const notes = join(emptyFolder(), 'notes.txt')
writeFileSync(notes, 'three short words')

/** Runs the command with a pipe as standard input, to which text is written after the first warning. */
function withSilentPipe(command: string, text: string): Promise<Ended> {
  // Node gives a child a socket, `cat` gives it a pipe.
  const line = `cat | ${synCommand} ${command}`
  const { child, ended } = start('bash', ['-c', line], environment(), ['pipe', 'pipe', 'pipe'])
  child.stderr?.once('data', () => child.stdin?.end(text))
  return ended
}

const avoidable = 'syn: waiting for standard input; if it is not meant as input, use --no-stdin or < /dev/null\n'
const needed = 'syn: waiting for standard input\n'

test.concurrent.each<[command: string, warning: string]>([
  ['chat --sandbox -q hi', avoidable],
  ['chat --sandbox hi', avoidable],
  [`chat --sandbox -q -f ${quoted(notes)}`, avoidable],
  ['messages --sandbox -q --max-tokens 999 hi', avoidable],
  ['complete --sandbox -q hi', avoidable],
  ['embed --sandbox -q hi', avoidable],
  ['count-tokens --sandbox -q hi', avoidable],
  ['chat --sandbox -q', needed],
  ['chat --sandbox -q hi -', needed],
  ['chat --sandbox -q -f - hi', needed],
  ['complete --sandbox -q', needed],
  ['embed --sandbox -q --lines', needed],
  ['search --sandbox -q', needed],
])('syn %s', async (command, warning) => {
  const { code, out, err } = await withSilentPipe(command, 'late words')
  expect({ code, err, isEmpty: out === '' }).toEqual({ code: 0, err: warning, isEmpty: false })
})

test.concurrent('what arrives after the warning is part of the prompt', async () => {
  const { out } = await withSilentPipe('chat --sandbox -q --dry-run hi', 'late words')
  expect(out).toContain('hi\\n\\nlate words')
})
