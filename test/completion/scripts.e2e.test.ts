/** Help texts in the scripts are quoted for each shell, and never executed. */

import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { environment } from '../helpers/program.ts'
import { commandLineOf } from '../../src/completion/command-line.ts'
import { shells, type Shell } from '../../src/completion/shells.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { describeShell, type ShellName } from './shells.ts'

const hostile = `it's “so” ‘called’ "$(touch F)" \`touch F\` \${x} %s [y]: \\ \\n {z} #`

const line = commandLineOf([
  {
    name: 'chat',
    summary: hostile,
    definition: {
      options: { flag: { kind: 'text', help: hostile }, other: { kind: 'switch', help: hostile } },
      examples: [],
    },
  },
])

async function scriptFor(shell: Shell): Promise<string> {
  return (await shells[shell]())(line)
}

/** The output of a shell that loads the script between two other lines; checks that it creates no file. */
async function output(shell: ShellName, before: string, after: string): Promise<string> {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'script'), `${before}\n${await scriptFor(shell)}\n${after}\n`)
  const env = { ...environment(), HOME: folder }
  const out = execFileSync(shell, ['script'], { cwd: folder, env, encoding: 'utf8' })
  expect(readdirSync(folder)).not.toContain('F')
  return out
}

describeShell('bash', () => {
  test('the script loads', async () => {
    const out = await output('bash', '', '_syn_node chat; printf "%s\\n" "${flags[@]}"')
    expect(out.split('\n')).toEqual(expect.arrayContaining(['--flag', '--other', '--help']))
  })
})

describeShell('zsh', () => {
  test('the text is shown unchanged', async () => {
    const out = await output('zsh', 'compdef() {}', "_syn_node ''; print -rl -- $subcommands")
    expect(out.split('\n')).toContain(`chat:${hostile}`)
  })
})

describeShell('fish', () => {
  test('the text is shown unchanged', async () => {
    expect(await output('fish', '', "complete -C 'syn ch'")).toBe(`chat\t${hostile}\n`)
  })
})

describe('powershell', () => {
  test('the text is a string', async () => {
    const { strings } = scan(await scriptFor('powershell'))
    expect(strings).toContain(hostile)
  })

  test('brackets are balanced', async () => {
    const { code } = scan((await runSyn(['completion', 'powershell'])).out)
    const open: string[] = []
    for (const [bracket] of code.matchAll(/[()[\]{}]/g)) {
      if ('([{'.includes(bracket)) open.push(bracket)
      else expect(`${open.pop()}${bracket}`).toMatch(/^(\(\)|\[\]|\{\})$/)
    }
    expect(open).toEqual([])
  })

  test('no text is evaluated', async () => {
    const { code } = scan((await runSyn(['completion', 'powershell'])).out)
    expect(code).not.toMatch(/Invoke-Expression|\biex\b|ScriptBlock\]|ExpandString|\.Invoke\(|SafeGetValue|`/i)
    // The only program called.
    expect(code.match(/(?<![\w$])[&.] \S+/g)).toEqual(['& syn'])
  })
})

/** Splits a PowerShell script into its unquoted strings, and the code without strings and comments. */
function scan(script: string): { strings: string[]; code: string } {
  const strings: string[] = []
  const code = script.replaceAll(/'((?:[^'‘’‚‛]|['‘’‚‛]{2})*)'|"[^"]*"|#.*$/gm, (_all, text?: string) => {
    if (text !== undefined) strings.push(text.replaceAll(/(['‘’‚‛])\1/g, '$1'))
    return ''
  })
  return { strings, code }
}
