import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bundled } from '../helpers/bundled.ts'
import { environment, node } from '../helpers/program.ts'
import { onTerminal } from '../helpers/terminal.ts'

const program = await bundled(fileURLToPath(new URL('../helpers/size-program.ts', import.meta.url)))

test('the size of a terminal is known at once, before a signal says that it has changed', async () => {
  const screen = onTerminal(node, [program], environment(), { columns: 60 })
  expect(await screen.ended).toBe(0)
  expect(screen.lines()).toEqual(['60 33'])
})
