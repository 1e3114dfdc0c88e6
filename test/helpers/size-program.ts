/** A program that changes the width of its terminal, and is asked for it before a signal can tell it. */

import { execFileSync } from 'node:child_process'
import { writeText } from '../../src/io/io.ts'
import { main } from '../../src/main.ts'

await main(async (_argv, io) => {
  execFileSync('stty', ['cols', '33'], { stdio: 'inherit' })
  const before = io.out.columns()
  io.out.window?.refresh?.()
  await writeText(io.out, `${before} ${io.out.columns()}\n`)
  return 0
})
