import { expect, test } from 'vitest'
import { testCompletion } from './behavior.ts'
import { startShell } from './shell-session.ts'
import { describeShell } from './shells.ts'
import { completionHome } from './home.ts'

describeShell('fish', () => {
  testCompletion('fish', {
    hostile: ['syn chat (touch F) --temp', 'syn chat -m (touch F)', 'syn chat -f (touch F)/n'],
    list: async (screen) => {
      screen.type('syn chat --max\t')
      // With their help.
      await screen.until((lines) =>
        lines.some((line) => /--max-tokens +\(Maximum number of tokens in the answer\)/.test(line)),
      )
    },
  })

  test('the built program is asked for models', async () => {
    using session = await startShell('fish', await completionHome())
    expect(await session.complete('syn chat -m hf:z')).toBe('syn chat -m hf:zai-org/GLM-4.7 ')
    expect(await session.complete('syn chat -f ~/no')).toBe('syn chat -f ~/notes.txt ')
  })
})
