/** `syn man`: with man(1) on a terminal, and as text without it. Needs the build, which makes the text. */

import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { manPages } from '../../man/pages.ts'
import { registry } from '../../src/cli/registry.ts'
import { environment, quoted, shell, startSyn } from '../helpers/program.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { synOnTerminal, wide } from '../helpers/terminal.ts'

const names = registry.map(({ name }) => name)

test.each<[name: string, argv: string[]]>([
  ['syn', []],
  ['syn', ['syn']],
  ...names.flatMap((name): [string, string[]][] => [
    [`syn-${name}`, [name]],
    [`syn-${name}`, [`syn-${name}`]],
  ]),
])('%s: syn man %j prints plain text', async (page, argv) => {
  for (const color of [[], ['--color=always']]) {
    const { code, out, err } = await runSyn(['man', ...argv, ...color])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const lines = out.split('\n')
    expect(lines[0]).toMatch(new RegExp(`^${page.toUpperCase()}\\(1\\) +General Commands Manual +`))
    expect(lines.slice(2, 4)).toEqual(['NAME', expect.stringContaining(`     ${page} – `)])
    // oxlint-disable-next-line no-control-regex -- none may be there
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/)
  }
})

const expected = `expected ${names.toSorted().join(', ')} or syn`

test.each([
  ['chta', `"chta" is not accepted; ${expected} (did you mean chat?)`],
  ['syn-chta', `"syn-chta" is not accepted; ${expected} (did you mean chat?)`],
  ['../../README', `"../../README" is not accepted; ${expected}`],
  ['', `"" is not accepted; ${expected}`],
])('syn man %j', async (name, message) => {
  const err = `syn: NAME: ${message}\n`
  expect(await runSyn(['man', name], { isTerminal: true, columns: wide })).toEqual({ code: 2, out: '', err })
})

test('a reader that closes the pipe', async () => {
  const { code, out, err } = await shell('syn man batch | head -n 3', environment())
  expect({ code, err, lines: out.split('\n').length }).toEqual({ code: 0, err: '', lines: 4 })
})

/** The environment with a script as man, and a temporary folder. */
function withMan(script: string): Record<string, string> & { TMPDIR: string } {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'man'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const env = environment()
  return { ...env, PATH: `${folder}${delimiter}${env.PATH}`, TMPDIR: emptyFolder() }
}

const findsFiles = 'if [ "$1" = -w ]; then echo "$2"; exit; fi'

test('on a terminal, man gets a file with the source, and no variable of syn; the file is gone afterwards', async () => {
  const look = emptyFolder()
  const script = `${findsFiles}\ncd ${quoted(look)} && echo "$@" > argv && cat "$1" > page && env > env && echo shown by man`
  const env = withMan(script)
  const screen = synOnTerminal(['man', 'chat'], { ...env, SYN_API_KEY: 'a key' }, { asProcess: true })
  expect({ code: await screen.ended, lines: screen.lines() }).toEqual({ code: 0, lines: ['shown by man'] })
  const [argv = '', page, names] = ['argv', 'page', 'env'].map((name) => readFileSync(join(look, name), 'utf8'))
  expect(argv).toMatch(/^\/.+\/syn-chat\.1\n$/)
  expect(argv.startsWith(`${env.TMPDIR}/`)).toBe(true)
  expect(page).toBe((await manPages()).get('syn-chat.1'))
  expect(names).not.toMatch(/^SYN_/m)
  expect(readdirSync(env.TMPDIR)).toEqual([])
})

test('off a terminal, man is not run', async () => {
  const { code, out } = await startSyn(['man'], withMan('echo man')).ended
  expect({ code, name: out.slice(0, 6) }).toEqual({ code: 0, name: 'SYN(1)' })
})

test.each([
  ['there is no man', undefined],
  ['man says how to install it, as in Ubuntu', 'echo "This system has been minimized"'],
  ['man does not take files', 'echo "No manual entry for $1" >&2; exit 16'],
  ['man cannot show it', `${findsFiles}\nexit 3`],
  ['there is no temporary folder', findsFiles],
])('on a terminal, where %s: the text', async (where, script) => {
  const env = withMan(script ?? '')
  if (script === undefined) env.PATH = emptyFolder()
  if (where === 'there is no temporary folder') rmSync(env.TMPDIR, { recursive: true })
  const screen = synOnTerminal(['man', 'logout'], env, { asProcess: true, rows: 200 })
  expect(await screen.ended).toBe(0)
  const { out } = await runSyn(['man', 'logout'])
  expect(screen.lines()).toEqual(out.trimEnd().split('\n'))
  if (existsSync(env.TMPDIR)) expect(readdirSync(env.TMPDIR)).toEqual([])
})

test('a signal ends man, and removes the file', async () => {
  const env = withMan(`${findsFiles}\necho waiting\nexec sleep 60`)
  const screen = synOnTerminal(['man'], env, { asProcess: true })
  await screen.until((lines) => lines.includes('waiting'))
  screen.kill('SIGTERM')
  expect({ code: await screen.ended, lines: screen.lines() }).toEqual({ code: 143, lines: ['waiting'] })
  expect(readdirSync(env.TMPDIR)).toEqual([])
})
