/** `syn embed` on a real terminal: what a person sees. */

import { expect, test } from 'vitest'
import { wellBehaved } from '../../helpers/embed.ts'
import { startService } from '../../helpers/service.ts'
import { draw } from '../../helpers/draw.ts'

test.each<[argv: string[], lines: string[]]>([
  [[], ['{"index":0,"embedding":[2,104,1]}']],
  [
    ['--format', 'csv'],
    ['index,v0,v1,v2', '0,2,104,1'],
  ],
])('formats are written as elsewhere: %j', async (argv, lines) => {
  await using service = await startService(wellBehaved)
  const screen = await draw(['embed', '-m', 'hf:a/b', ...argv, 'hi'], { env: service.env })
  expect({ code: screen.code, lines: screen.lines() }).toEqual({ code: 0, lines })
})
