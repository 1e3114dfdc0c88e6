/** Whatever a help text says, it is text in the scripts: quoted as each shell wants it, and never run. */

import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { environment } from '../helpers/program.ts'
import { commandLineOf } from '../../src/completion/command-line.ts'
import { shells, type Shell } from '../../src/completion/shells.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { describeShell, type ShellName } from './shells.ts'

const nasty = `it's “so” ‘called’ "$(touch F)" \`touch F\` \${x} %s [y]: \\ \\n {z} #`

const line = commandLineOf([
  {
    name: 'chat',
    summary: nasty,
    definition: {
      options: { flag: { kind: 'text', help: nasty }, other: { kind: 'switch', help: nasty } },
      examples: [],
    },
  },
])

async function scriptFor(shell: Shell): Promise<string> {
  return (await shells[shell]())(line)
}

/** What a shell prints that loads the script and then runs this, in a folder where nothing else may appear. */
async function output(shell: ShellName, before: string, after: string): Promise<string> {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'script'), `${before}\n${await scriptFor(shell)}\n${after}\n`)
  const env = { ...environment(), HOME: folder }
  const out = execFileSync(shell, ['script'], { cwd: folder, env, encoding: 'utf8' })
  expect(readdirSync(folder)).not.toContain('F')
  return out
}

describeShell('bash', () => {
  test('loads it', async () => {
    const out = await output('bash', '', '_syn_place chat; printf "%s\\n" "${flags[@]}"')
    expect(out.split('\n')).toEqual(expect.arrayContaining(['--flag', '--other', '--help']))
  })
})

describeShell('zsh', () => {
  test('shows it as it stands', async () => {
    const out = await output('zsh', 'compdef() {}', "_syn_place ''; print -rl -- $subcommands")
    expect(out).toBe(`chat:${nasty}\n`)
  })
})

describeShell('fish', () => {
  test('shows it as it stands', async () => {
    expect(await output('fish', '', "complete -C 'syn ch'")).toBe(`chat\t${nasty}\n`)
  })
})

describe('powershell', () => {
  test('holds it as a string', async () => {
    const { strings } = scan(await scriptFor('powershell'))
    expect(strings).toContain(nasty)
  })

  test('has its brackets in pairs', async () => {
    const { code } = scan((await runSyn(['completion', 'powershell'])).out)
    const open: string[] = []
    for (const [bracket] of code.matchAll(/[()[\]{}]/g)) {
      if ('([{'.includes(bracket)) open.push(bracket)
      else expect(`${open.pop()}${bracket}`).toMatch(/^(\(\)|\[\]|\{\})$/)
    }
    expect(open).toEqual([])
  })

  test('evaluates no text', async () => {
    const { code } = scan((await runSyn(['completion', 'powershell'])).out)
    expect(code).not.toMatch(/Invoke-Expression|\biex\b|ScriptBlock\]|ExpandString|\.Invoke\(|SafeGetValue|`/i)
    // The one program that is called, by its own name.
    expect(code.match(/(?<![\w$])[&.] \S+/g)).toEqual(['& syn'])
  })
})

/** A script of PowerShell parted into its strings, unquoted, and what remains without strings and comments. */
function scan(script: string): { strings: string[]; code: string } {
  const strings: string[] = []
  const code = script.replaceAll(/'((?:[^'‘’‚‛]|['‘’‚‛]{2})*)'|"[^"]*"|#.*$/gm, (_all, text?: string) => {
    if (text !== undefined) strings.push(text.replaceAll(/(['‘’‚‛])\1/g, '$1'))
    return ''
  })
  return { strings, code }
}
