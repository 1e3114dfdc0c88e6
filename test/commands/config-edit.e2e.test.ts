/** `syn config edit`: what is stored, and what is saved if that fails. */

import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { environment, quoted, startSyn } from '../helpers/program.ts'
import { emptyFolder, runSyn, type Outcome } from '../helpers/run-syn.ts'
import { configPath, configText, homeWith } from '../settings/stored.ts'

function edit(home: string, env: Record<string, string> = {}): Promise<Outcome> {
  return runSyn(['config', 'edit'], { env: { HOME: home, ...env } })
}

/** A script as the editor, with an argument as in `code --wait`. */
function editor(script: string): Record<string, string> {
  const path = join(emptyFolder(), 'an editor.sh')
  writeFileSync(path, script)
  return { EDITOR: `sh ${quoted(path)} --wait` }
}

const before = '{"profiles":{"default":{"retries":1}}}'
const after = '{ "profiles": {"default": {"retries": 2}} }'

test('stores the text unchanged; the copy is private, and next to the file', async () => {
  const [home, look] = [homeWith(before), join(emptyFolder(), 'look')]
  const { code, err } = await edit(
    home,
    editor(`printf '%s' '${after}' > "$2"; ls -l "$2" > ${quoted(look)}; ls -ld "$(dirname "$2")" >> ${quoted(look)}`),
  )
  expect({ code, err }).toEqual({ code: 0, err: `syn: saved ${configPath(home)}\n` })
  expect(configText(home)).toBe(after)
  expect(readFileSync(look, 'utf8')).toMatch(/^-rw------- .+\/\.config\/syn\/edit-.+\ndrwx------ /)
  expect(statSync(configPath(home)).mode & 0o777).toBe(0o600)
  expect(readdirSync(dirname(configPath(home)))).toEqual(['config.json'])
})

test('starts from an empty document, and repairs an invalid one', async () => {
  for (const home of [emptyFolder(), homeWith('{"profiles": nonsense')]) {
    expect((await edit(home, editor(`printf '%s' '${after}' > "$2"`))).code).toBe(0)
    expect(configText(home)).toBe(after)
  }
})

test('the editor gets no variable of syn', async () => {
  const look = join(emptyFolder(), 'look')
  const own = { SYN_API_KEY: 'a key', SYN_MODEL: 'm', syn_other: 'x', SYNOPSIS: 'kept' }
  const env = { ...environment(), HOME: homeWith(before), ...own, ...editor(`env > ${quoted(look)}`) }
  const { code } = await startSyn(['config', 'edit'], env).ended
  expect(code).toBe(0)
  const names = readFileSync(look, 'utf8').match(/^syn\w*/gim)
  expect(names).toEqual(['SYNOPSIS'])
})

test('VISUAL takes precedence over EDITOR; without an edit nothing changes', async () => {
  const home = homeWith(before)
  const { code, err } = await edit(home, { VISUAL: 'true', EDITOR: 'false' })
  expect({ code, err }).toEqual({ code: 0, err: `syn: ${configPath(home)} is unchanged\n` })
  expect(configText(home)).toBe(before)
})

test.each([
  ['a text that is not JSON', `echo oops > "$2"`, 2, 'not valid JSON at line 1, column 1'],
  ['an invalid setting', `echo '{"profiles":{"a":{"retries":-1}}}' > "$2"`, 2, '$.profiles.a.retries: -1'],
  ['an editor that fails', `echo '{}' > "$2"; exit 3`, 1, 'exited with status 3'],
  [
    'a change by another program',
    `echo '{}' > "$2"; echo '{"profiles":{ }}' > "$HOME/.config/syn/config.json"`,
    1,
    'another program',
  ],
])('%s: the text is saved, and the file unchanged', async (_what, script, code, message) => {
  const home = homeWith(before)
  const kept = `${configPath(home)}.rejected`
  for (const path of [kept, `${kept}-2`]) {
    const outcome = await edit(home, editor(script))
    expect(outcome).toEqual({ code, out: '', err: expect.stringContaining(message) })
    expect(outcome.err).toContain(`syn: your text was saved to ${path}\n`)
    expect(readFileSync(path, 'utf8')).toMatch(/^(oops|\{.*\})\n$/)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(configText(home)).toBe(message === 'another program' ? '{"profiles":{ }}\n' : before)
    writeFileSync(configPath(home), before)
  }
})

test('without a terminal an editor must be set', async () => {
  const { code, err } = await edit(emptyFolder())
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('hint: set EDITOR to a command') })
})

test('SIGTERM ends the run and its editor', async () => {
  const home = homeWith(before)
  const marker = join(emptyFolder(), 'started')
  const env = { ...environment(), HOME: home, EDITOR: `touch ${quoted(marker)}; exec sleep 60 #` }
  const { child, ended } = startSyn(['config', 'edit'], env)
  await expect.poll(() => existsSync(marker)).toBe(true)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 143, err: '' })
  expect(configText(home)).toBe(before)
})
