/** The progress bar on a real terminal. */

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { wellBehaved } from '../../helpers/embed.ts'
import { environment, quoted, synCommand } from '../../helpers/program.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { json, startService, type Answer } from '../../helpers/service.ts'
import { onTerminal, synOnTerminal } from '../../helpers/terminal.ts'

const argv = ['--batch-size', '1', 'one', 'two', 'three']

/** A service that holds back its replies from the second request on. */
function held(): { answer: Answer; release: () => void } {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  let requests = 0
  return {
    answer: async (asked, response) => {
      if (requests++ > 0) await released
      await wellBehaved(asked, response)
    },
    release: () => release(),
  }
}

test('several requests have a progress bar below the output, which is removed at the end', async () => {
  const { answer, release } = held()
  await using service = await startService(answer)
  const screen = synOnTerminal(['embed', '-m', 'hf:a/b', ...argv], environment(service))
  await screen.until((lines) => lines.length === 2 && /^1 of 3 texts · \d+ s left$/.test(lines[1] ?? ''))
  release()
  expect(await screen.ended).toBe(0)
  expect(screen.lines()).toEqual([
    '{"index":0,"embedding":[3,111,1]}',
    '{"index":1,"embedding":[3,116,1]}',
    '{"index":2,"embedding":[5,116,1]}',
  ])
})

test('with TERM=dumb there is no bar', async () => {
  // The wait before a retry is longer than the delay of the bar.
  await using service = await startService(wellBehaved, json({ error: 'busy' }, 503), wellBehaved)
  const path = quoted(join(emptyFolder(), 'e'))
  const command = `${synCommand} embed -m hf:a/b ${argv.join(' ')} > ${path}`
  const screen = onTerminal('sh', ['-c', command], environment(service), { term: 'dumb' })
  expect(await screen.ended).toBe(0)
  expect(screen.written()).toMatch(/^syn: busy .*\r\n$/)
})

test('Ctrl-C exits with 130, and removes the bar', async () => {
  const { answer } = held()
  await using service = await startService(answer)
  const screen = synOnTerminal(['embed', '-m', 'hf:a/b', '-o', '/dev/null', ...argv], environment(service), {
    asProcess: true,
  })
  await screen.until((lines) => lines.join('').includes('1 of 3 texts'))
  screen.type('\u0003')
  expect(await screen.ended).toBe(130)
  expect(screen.lines().join('')).not.toContain('texts')
})
