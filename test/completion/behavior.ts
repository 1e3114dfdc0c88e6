/** Completion tests for every shell, on a terminal. */

import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startShell, type ShellSession } from './shell-session.ts'
import { share } from '../helpers/samples.ts'
import { shellNames, type ShellName } from './shells.ts'
import { completionHome } from './home.ts'
import type { Screen } from '../helpers/terminal.ts'

/** The line before and after TAB. */
const completed: readonly (readonly [before: string, after: string])[] = [
  ['syn ch', 'syn chat '],
  ['syn chat chat', 'syn chat chat'],
  ['syn chat --tempe', 'syn chat --temperature '],
  ['syn chat "more words" $(x) --pres', 'syn chat "more words" $(x) --presence-penalty '],
  ['syn chat --reasoning-effort "h', 'syn chat --reasoning-effort "high" '],
  ['syn chat --color=al', 'syn chat --color=always '],
  ['syn chat --tool-choice to', 'syn chat --tool-choice tool:'],
  ['syn embed -m hf:no', 'syn embed -m hf:nomic-ai/nomic-embed-text '],
  ['syn chat -um hf:z', 'syn chat -um hf:zai-org/GLM-4.7 '],
  ['syn chat -m hf:moonshotai/Kimi-K2:', 'syn chat -m hf:moonshotai/Kimi-K2:free '],
  ['syn chat --model=hf:z', 'syn chat --model=hf:zai-org/GLM-4.7 '],
  ['syn chat --model "hf:z', 'syn chat --model "hf:zai-org/GLM-4.7" '],
  ['syn chat --profile work -m hf:', 'syn chat --profile work -m hf:openai/gpt-oss '],
  ['syn chat -f no', 'syn chat -f notes.txt '],
  ['syn chat -f my', String.raw`syn chat -f my\ notes.txt `],
  ['syn chat --body=no', 'syn chat --body=notes.txt '],
  ['syn chat --tool-choice @not', 'syn chat --tool-choice @notes.txt '],
  ['syn chat --tools=@my', String.raw`syn chat --tools=@my\ notes.txt `],
  ['syn chat --tools "@my', 'syn chat --tools "@my notes.txt" '],
  ['syn chat --tools @fol', 'syn chat --tools @folder/'],
  ['syn chat no', 'syn chat no'],
  ['syn chat -- no', 'syn chat -- notes.txt '],
  ['syn chat -- --temp', 'syn chat -- --temp'],
  ['syn chat < no', 'syn chat < notes.txt '],
  ['syn batch -t @rev', 'syn batch -t @review '],
  ['syn prompts show rev', 'syn prompts show review '],
]

const listed: readonly (readonly [line: string, words: readonly string[]])[] = [
  ['syn chat --reasoning-effort ', ['low', 'medium', 'high']],
  [
    'syn chat -m ',
    [
      'syn:large:text',
      'syn:small:text',
      'syn:large:vision',
      'syn:small:vision',
      'hf:zai-org/GLM-4.7',
      'hf:moonshotai/Kimi-K2:free',
    ],
  ],
]

/** Lines that would create the file F if any part of them were executed. */
const hostile = [
  'syn chat "$(touch F)',
  'syn chat "$(touch F)" --temp',
  'syn chat $(touch F) -m hf:z',
  'syn chat "`touch F`" --temp',
  'syn chat "${x:-$(touch F)}" -m ',
  'syn chat $((a[$(touch F)])) --temp',
  'syn chat -m "$(touch F)',
  'syn chat --model=$(touch F)',
  'syn chat --profile "$(touch F)" -m ',
  'syn $(touch F) ',
  'syn "$(touch F)',
  'syn config set "$(touch F)" ',
  'syn -$(touch F) -m ',
  'syn chat -f $(touch F)/n',
  'syn chat -f "$(touch F)/n',
  'syn chat -f ${x:-$(touch F)}/n',
  'syn chat -f ~$(touch F)/n',
  'syn chat --tools "@$(touch F)/n',
  'syn chat -- $(touch F)/n',
  'syn chat -t @$(touch F)',
  'syn prompts show ',
  'syn chat * ? [a-z]* -m ',
  'syn chat a\\;touch\\ F -m ',
  "syn chat 'a'\"'\"'$(touch F)' --temp",
]

interface ShellTests {
  /** Hostile lines for this shell only. */
  readonly hostile: readonly string[]
  /** Types a line that lists candidates, and waits for them. */
  readonly list: (screen: Screen) => Promise<void>
}

export function testCompletion(name: ShellName, { hostile: more, list }: ShellTests): void {
  describe('with default settings', () => {
    let home: string
    let session: ShellSession
    beforeAll(async () => {
      home = await completionHome()
      session = await startShell(name, home)
    })
    afterAll(() => session[Symbol.dispose]())

    test.each(completed)('%s', async (before, after) => {
      expect(await session.complete(before)).toBe(after)
    })

    test.each(listed)('all candidates for %s', async (line, words) => {
      expect(await session.listed(line)).toEqual(words)
    })

    test.each([...share(hostile, shellNames.indexOf(name), shellNames.length), ...more])(
      'nothing is executed for %j',
      async (line) => {
        await session.complete(line)
        const wasRun = existsSync(join(home, 'F'))
        rmSync(join(home, 'F'), { force: true })
        expect(wasRun).toBe(false)
      },
    )

    test('TAB lists the candidates', () => list(session.screen))
  })
}
