/** The times of messages: on a terminal and in HTML pages, nowhere else. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { conversationsFolder, sessions } from '../../helpers/conversations.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const id = '20261121-090000-aaaaaa'

const asked = { messages: [{ role: 'user', content: 'q' }] }
const choices = [{ index: 0, message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }]

/** The second turn is on another branch, and has no time that can be read. */
function home(): string {
  const folder = emptyFolder()
  mkdirSync(conversationsFolder(folder), { recursive: true })
  const entries = [
    { type: 'turn', at: '2026-11-21T23:50:00.000Z', id: 't1', system: 's', ...asked },
    { type: 'answer', at: '2026-11-21T23:50:00.000Z', id: 'a1', parent: 't1', model: 'hf:one' },
    { type: 'end', at: '2026-11-22T00:03:20.000Z', answer: 'a1', choices },
    { type: 'turn', id: 't2', parent: 'a1', ...asked },
    { type: 'answer', at: 'noon', id: 'a2', parent: 't2', model: 'hf:one' },
    { type: 'end', answer: 'a2', choices },
    { type: 'head', at: '2026-11-22T00:04:00.000Z', node: 'a1' },
  ]
  const log = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
  writeFileSync(join(conversationsFolder(folder), `${id}.jsonl`), log)
  return folder
}

const [sent, ended] = ['2026-11-21 23:50', '2026-11-22 00:03']
const unknown = '\nUser [on another branch]\nq\n\nAssistant hf:one [on another branch]\na\n'
const htmlTime = (iso: string, shown: string): string => `<time datetime="${iso}">${shown}</time>`

test.each<[line: string, isTerminal: boolean, shown: string]>([
  ['show', true, `System ${sent}\ns\n\nUser ${sent}\nq\n\nAssistant hf:one ${ended}\na\n`],
  ['show --all', true, `System ${sent}\ns\n\nUser ${sent}\nq\n\nAssistant hf:one ${ended}\na\n${unknown}`],
  ['show --all', false, `System\ns\n\nUser\nq\n\nAssistant hf:one\na\n${unknown}`],
  ['export', true, `# q\n\n## System\n\ns\n\n## User\n\nq\n\n## Assistant\n\na\n`],
])('%s, on a terminal: %s', async (line, isTerminal, shown) => {
  const { code, out } = await sessions(home(), [...line.split(' '), id, '--no-color'], { isTerminal })
  expect([code, out]).toEqual([0, shown])
})

test('a page has them for readers and programs', async () => {
  const { out } = await sessions(home(), ['export', '--format', 'html', '--all', id])
  expect(out.match(/<h2>.*<\/h2>/g)).toEqual([
    `<h2>System <small>${htmlTime('2026-11-21T23:50:00.000Z', sent)}</small></h2>`,
    `<h2>User <small>${htmlTime('2026-11-21T23:50:00.000Z', sent)}</small></h2>`,
    `<h2>Assistant <small>hf:one · ${htmlTime('2026-11-22T00:03:20.000Z', ended)}</small></h2>`,
    '<h2>User <small>on another branch</small></h2>',
    '<h2>Assistant <small>hf:one · on another branch</small></h2>',
  ])
})
