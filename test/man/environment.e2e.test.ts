/** syn(1) lists every environment variable that the program reads, and every file that it writes. */

import { readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { quoted } from '../helpers/program.ts'
import { environment, files } from '../../man/environment.ts'
import { History, historyPath } from '../../src/terminal/line-editor/history.ts'
import { readSources } from '../architecture/sources.ts'
import { wellBehaved } from '../helpers/embed.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, events, json, startService, testKey } from '../helpers/service.ts'

/** Set by terminals and CI services to identify themselves. */
const tellTales = /^(TERM_PROGRAM|XTERM_VERSION|LC_TERMINAL|STY|ZELLIJ|WT_SESSION)$/

const source = fileURLToPath(new URL('../../src', import.meta.url))

test('every variable that the code reads', () => {
  const lines = readSources(source).flatMap(({ code }) => code.split('\n').filter((line) => /\benv\b/.test(line)))
  const read = lines.flatMap((line) => line.match(/\b[A-Z][A-Z_]{3,}\b/g) ?? [])
  expect(read).toEqual(expect.arrayContaining(['HOME', 'FORCE_COLOR', 'SYN_API_KEY', 'EDITOR']))
  const named = new Set(Object.keys(environment()).flatMap((name) => name.split(', ')))
  expect([...new Set(read)].filter((one) => !named.has(one) && !tellTales.test(one))).toEqual([])
})

test('every file that runs leave behind, and no other', async () => {
  await using service = await startService((asked, response) => {
    if (asked.path.endsWith('/models')) return json({ data: [{ id: 'hf:some/model' }] })(asked, response)
    if (asked.path.endsWith('/embeddings')) return wellBehaved(asked, response)
    return (asked.path.endsWith('/quotas') ? json({}) : events(chatAnswer(['Hello'])))(asked, response)
  })
  const home = emptyFolder()
  const editor = join(emptyFolder(), 'editor')
  writeFileSync(editor, '#!/bin/sh\necho broken > "$1"\n', { mode: 0o755 })
  const env = { HOME: home, EDITOR: quoted(editor) }
  await runSyn(['login', '--base-url', service.baseUrl, '--with-key'], { env, stdin: testKey })
  await runSyn(['chat', '-u', '--save', 'hi'], { env })
  await runSyn(['similar', '-m', 'hf:m', 'a question'], { env, stdin: 'a text' })
  await runSyn(['config', 'edit'], { env })
  await leaveHistory(home)
  const left = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `~/${relative(home, join(entry.parentPath, entry.name))}`)
  const named = Object.keys(files)
  expect(left.filter((file) => !named.some((name) => isNamed(file, name)))).toEqual([])
  expect(named.filter((name) => !left.some((file) => isNamed(file, name)))).toEqual([])
})

/** Writes the file that an interactive chat leaves. */
async function leaveHistory(home: string): Promise<void> {
  const history = await History.open(historyPath({ env: { HOME: home }, platform: 'linux' }))
  history.add('hi')
  await history.settled()
}

/** Whether a file is the one of an entry such as `~/.cache/syn/models-*.json`. */
function isNamed(file: string, entry: string): boolean {
  const [start = '', end = ''] = entry.split('*')
  return entry.includes('*') ? file.startsWith(start) && file.endsWith(end) : file === entry
}
