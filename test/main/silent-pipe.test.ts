/** A pipe that nothing arrives on is waited for, with a warning, also with -q. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runWithDelayedInput } from '../helpers/delayed-input.ts'
import { emptyFolder } from '../helpers/run-syn.ts'

const notes = join(emptyFolder(), 'notes.txt')
writeFileSync(notes, 'three short words')

const avoidable = 'syn: waiting for standard input; if it is not meant as input, use --no-stdin or < /dev/null\n'
const needed = 'syn: waiting for standard input\n'

test.each<[command: string, warning: string]>([
  ['chat --sandbox -q hi', avoidable],
  ['chat --sandbox hi', avoidable],
  ['chat --sandbox -q -f NOTES', avoidable],
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
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const argv = command.split(' ').map((word) => (word === 'NOTES' ? notes : word))
  const { isAwaited, end, ended } = runWithDelayedInput(argv)
  await Promise.race([isAwaited, ended])
  vi.advanceTimersByTime(2_000)
  vi.useRealTimers()
  end('late words')
  const { code, out, err } = await ended
  expect({ code, err, isEmpty: out === '' }).toEqual({ code: 0, err: warning, isEmpty: false })
})
