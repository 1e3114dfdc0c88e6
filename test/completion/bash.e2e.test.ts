import { expect, test } from 'vitest'
import { testCompletion } from './behavior.ts'
import { startShell } from './shell-session.ts'
import { describeShell } from './shells.ts'
import { completionHome } from './home.ts'

describeShell('bash', () => {
  testCompletion('bash', {
    hostile: ["syn chat $'a\\n$(touch F)' --temp", 'syn chat <(touch F) --temp', 'syn chat "a\x16\n$(touch F)" --temp'],
    list: async (screen) => {
      screen.type('syn config set \t\t')
      await screen.until(
        (lines) =>
          lines.some((line) => /^profile +base-url +key-command/.test(line)) && lines.at(-1) === 'ready syn config set',
      )
    },
  })

  test.each([
    ['words are not split at colons', 'COMP_WORDBREAKS=${COMP_WORDBREAKS//[:=@]}'],
    ['strict options are set', 'set -u; set -o posix; shopt -s failglob nullglob; IFS=/'],
  ])('%s', async (_what, settings) => {
    using session = await startShell('bash', await completionHome(), { settings })
    expect(await session.complete('syn chat -m hf:z')).toBe('syn chat -m hf:zai-org/GLM-4.7 ')
    expect(await session.complete('syn chat --model=hf:moonshotai/Kimi-K2:')).toBe(
      'syn chat --model=hf:moonshotai/Kimi-K2:free ',
    )
    expect(await session.complete('syn chat --tools @my')).toBe(String.raw`syn chat --tools @my\ notes.txt `)
    expect(await session.complete('syn chat "[x" --system=@folder/')).toBe('syn chat "[x" --system=@folder/inner.json ')
  })
})
