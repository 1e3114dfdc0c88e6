/** A pipe that nothing arrives on is waited for, with a warning; a socket only for a moment if there is other input. Also with -q. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runWithDelayedInput } from '../helpers/watched-run.ts'
import { emptyFolder } from '../helpers/run-syn.ts'

const folder = emptyFolder()
const notes = join(folder, 'notes.txt')
writeFileSync(notes, 'three short words')

const avoidable = 'syn: waiting for standard input; if it is not meant as input, use --no-stdin or < /dev/null\n'
const needed = 'syn: waiting for standard input\n'
const ignored = 'syn: no data on standard input for 1 s, so it is ignored; use - to wait for it, or --no-stdin\n'

const withOther = [
  'chat --sandbox -q hi',
  'chat --sandbox -q -f NOTES',
  'embed --sandbox -q --lines -f NOTES',
  'count-tokens --sandbox -m syn:small:text -q -f NOTES',
]
const withoutOther = ['chat --sandbox -q', 'chat --sandbox -q hi -', 'search --sandbox -q']

type Row = [command: string, kind: 'pipe' | 'socket', seconds: number, warning: string]

test.each<Row>([
  ...withOther.flatMap((command): Row[] => [
    [command, 'pipe', 2, avoidable],
    [command, 'socket', 1, ignored],
  ]),
  ...withoutOther.flatMap((command): Row[] => [
    [command, 'pipe', 2, needed],
    [command, 'socket', 2, needed],
  ]),
])('syn %s from a %s: after %i s', async (command, stdinKind, seconds, warning) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const argv = command.split(' ').map((word) => word.replace('NOTES', notes))
  const { isAwaited, end, ended } = runWithDelayedInput(argv, { stdinKind })
  await Promise.race([isAwaited, ended])
  vi.advanceTimersByTime(1000 * seconds)
  vi.useRealTimers()
  if (warning !== ignored) end('late words')
  const { code, out, err } = await ended
  expect({ code, err, isEmpty: out === '' }).toEqual({ code: 0, err: warning, isEmpty: false })
})
