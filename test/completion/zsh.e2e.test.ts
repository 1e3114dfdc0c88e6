import { expect, test } from 'vitest'
import { testCompletion } from './behavior.ts'
import { startShell } from './shell-session.ts'
import { describeShell } from './shells.ts'
import { completionHome } from './home.ts'

describeShell('zsh', () => {
  testCompletion('zsh', {
    hostile: ["syn chat $'a\\n$(touch F)' --temp", 'syn chat <(touch F) --temp', 'syn chat "a\x16\n$(touch F)" --temp'],
    list: async (screen) => {
      screen.type('syn chat --max\t\t')
      // With their help.
      await screen.until((lines) =>
        lines.some((line) => /^--max-tokens +-- Maximum number of tokens in the answer$/.test(line)),
      )
    },
  })

  test.each([
    ['the script is sourced', 'unset "_comps[syn]"; unfunction _syn; source <(syn completion zsh)'],
    ['arrays and words are as in other shells', 'setopt ksh_arrays sh_word_split no_unset'],
  ])('%s', async (_what, settings) => {
    using session = await startShell('zsh', await completionHome(), { settings })
    expect(await session.complete('syn chat -m hf:z')).toBe('syn chat -m hf:zai-org/GLM-4.7 ')
    expect(await session.complete('syn chat --model=hf:moonshotai/Kimi-K2:')).toBe(
      'syn chat --model=hf:moonshotai/Kimi-K2:free ',
    )
    expect(await session.complete('syn chat "[x" --tools=@my')).toBe(String.raw`syn chat "[x" --tools=@my\ notes.txt `)
  })
})
