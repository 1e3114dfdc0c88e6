import { test } from 'vitest'
import { testCompletion } from './behavior.ts'
import { startShell } from './shell-session.ts'
import { describeShell } from './shells.ts'
import { completionHome } from './home.ts'

describeShell('fish', () => {
  testCompletion('fish', ['syn chat (touch F) --temp', 'syn chat -m (touch F)', 'syn chat -f (touch F)/n'])

  test('TAB lists the candidates with their help', async () => {
    using session = await startShell('fish', await completionHome())
    session.screen.type('syn chat --max\t')
    await session.screen.until((lines) =>
      lines.some((line) => /--max-tokens +\(Maximum number of tokens in the answer\)/.test(line)),
    )
  })
})
