import { test } from 'vitest'
import { testCompletion } from './behaviour.ts'
import { startShell } from './shell-session.ts'
import { describeShell } from './shells.ts'
import { completionHome } from './world.ts'

describeShell('fish', () => {
  testCompletion('fish', ['syn chat (touch F) --temp', 'syn chat -m (touch F)', 'syn chat -f (touch F)/n'])

  test('a person sees what there is, and what for', async () => {
    using session = await startShell('fish', await completionHome())
    session.screen.type('syn chat --max\t')
    await session.screen.until((lines) =>
      lines.some((line) => /--max-tokens +\(Maximum number of tokens in the answer\)/.test(line)),
    )
  })
})
