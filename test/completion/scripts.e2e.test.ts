/** What the scripts do with what syn answers, and without syn. */

import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { completionHome } from './home.ts'
import { startShell } from './shell-session.ts'
import { describeShell, shellNames } from './shells.ts'

const hostile = `it's “so” ‘called’ "$(touch F)" \`touch F\` \${x} %s [y]: \\ \\n {z} #`

describe.each(shellNames)('%s', (shell) => {
  describeShell(shell, () => {
    test('what syn answers is text; without syn, paths are completed, and nothing is printed', async () => {
      const home = await completionHome()
      using session = await startShell(shell, home)
      const answer = `chat\t${hostile}\n`.replaceAll("'", `'"'"'`)
      writeFileSync(join(home, 'bin/syn'), `#!/bin/sh\nprintf %s '${answer}'\n`)
      expect(await session.complete('syn ch')).toBe('syn chat ')
      expect(existsSync(join(home, 'F'))).toBe(false)
      rmSync(join(home, 'bin/syn'))
      const before = session.screen.written().length
      expect(await session.complete('syn chat no')).toBe('syn chat notes.txt ')
      expect(session.screen.written().slice(before)).not.toMatch(/not found|nknown|rror/)
    })
  })
})
