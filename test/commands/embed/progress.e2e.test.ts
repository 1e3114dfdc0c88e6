/** The progress bar on a real terminal. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { linesOf, wellBehaved } from '../../helpers/embed.ts'
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

test('several requests have a progress bar, which is removed at the end', async () => {
  const { answer, release } = held()
  await using service = await startService(answer)
  const file = join(emptyFolder(), 'e.jsonl')
  const screen = synOnTerminal(['embed', '-m', 'hf:a/b', '-o', file, ...argv], environment(service))
  await screen.until((lines) => /^██████████░{20} 1 of 3 texts · \d+ s left$/.test(lines.join('\n')))
  release()
  expect(await screen.ended).toBe(0)
  expect(screen.lines()).toEqual([])
  expect(linesOf(readFileSync(file, 'utf8'))).toHaveLength(3)
})

test('the bar is below the output', async () => {
  const { answer, release } = held()
  await using service = await startService(answer)
  const screen = synOnTerminal(['embed', '-m', 'hf:a/b', ...argv], environment(service), { columns: 40 })
  await screen.until((lines) => lines.length === 4 && /^█+░+ 1 of 3 texts/.test(lines[3] ?? ''))
  release()
  expect(await screen.ended).toBe(0)
  expect(screen.lines().map((line) => line.slice(0, 8).trimEnd())).toEqual([
    '0  one',
    '   3 dim',
    '   ▅█▅',
    '1  two',
    '   3 dim',
    '   ▅█▅',
    '2  three',
    '   3 dim',
    '   ▅█▅',
  ])
})

test('a notice gets its own line', async () => {
  const { answer, release } = held()
  let fail: () => void = () => undefined
  const failure = new Promise<void>((resolve) => (fail = resolve))
  let requests = 0
  const failing: Answer = async (asked, response) => {
    if (requests++ !== 1) return answer(asked, response)
    await failure
    return json({ error: 'busy' }, 503, { 'retry-after': '0' })(asked, response)
  }
  await using service = await startService(failing)
  const screen = synOnTerminal(
    ['embed', '-m', 'hf:a/b', '--format', 'jsonl', '-o', '/dev/null', ...argv],
    environment(service),
  )
  await screen.until((lines) => lines.join('').includes('1 of 3 texts'))
  fail()
  await screen.until((lines) => /^syn: busy .+\(1 of 3\)$/.test(lines[0] ?? ''))
  release()
  expect(await screen.ended).toBe(0)
  expect(screen.lines()).toEqual([expect.stringMatching(/^syn: busy .+\(1 of 3\)$/)])
})

test.each<[title: string, line: string, written: RegExp, term?: string]>([
  ['--quiet', 'syn -q > FILE', /^$/],
  ['no terminal to draw on', 'syn > FILE 2> FILE.err', /^$/],
  ['TERM=dumb', 'syn > FILE', /^syn: busy .*\r\n$/, 'dumb'],
])('no bar with %s', async (_title, line, written, term = 'xterm') => {
  // The wait before a retry is longer than the delay of the bar.
  await using service = await startService(wellBehaved, json({ error: 'busy' }, 503), wellBehaved)
  const syn = `${synCommand} embed -m hf:a/b ${argv.join(' ')}`
  const path = quoted(join(emptyFolder(), 'e'))
  const command = line.replaceAll('FILE', () => path).replace('syn', () => syn)
  const screen = onTerminal('sh', ['-c', command], environment(service), { term })
  expect(await screen.ended).toBe(0)
  expect(screen.written()).toMatch(written)
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
