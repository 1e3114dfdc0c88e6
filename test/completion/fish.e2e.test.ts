import { testCompletion } from './behavior.ts'
import { describeShell } from './shells.ts'

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
})
