import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { environment, node } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { logContent } from '../helpers/conversations.ts'
import { bundled } from '../helpers/bundled.ts'

test('two processes at once: every line of both is complete and in order', async () => {
  const path = join(emptyFolder(), 'conversation.jsonl')
  writeFileSync(path, '')
  const script = await bundled(fileURLToPath(new URL('write-many.ts', import.meta.url)))
  const started = ['a', 'b'].map((answer) =>
    spawn(node, [script, path, answer], {
      env: environment(),
      stdio: ['ignore', 'inherit', 'inherit'],
    }),
  )
  for (const [status] of await Promise.all(started.map((child) => once(child, 'close')))) expect(status).toBe(0)
  const { entries, damaged, unknown } = logContent(readFileSync(path, 'utf8'))
  expect({ damaged, unknown }).toEqual({ damaged: [], unknown: [] })
  for (const answer of ['a', 'b']) {
    const texts = entries.flatMap((entry) =>
      entry.type === 'part' && entry.answer === answer
        ? entry.deltas.map((delta) => (delta.type === 'text' ? Number(delta.text.split(' ')[0]) : undefined))
        : [],
    )
    expect(texts).toEqual(Array.from({ length: 300 }, (_, number) => number))
  }
})
