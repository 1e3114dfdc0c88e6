/** A long conversation whose file has all parts of its answers, too, is read within little memory. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { conversationsFolder } from '../helpers/conversations.ts'
import { environment, startSyn } from '../helpers/program.ts'

test('30 MB, most of it parts, in 24 MB of heap', async () => {
  const env = environment()
  const folder = conversationsFolder(env.HOME ?? '')
  mkdirSync(folder, { recursive: true })
  const at = '2026-11-21T10:00:00.000Z'
  const line = (entry: object): string => `${JSON.stringify(entry)}\n`
  const answer = 'word '.repeat(1000)
  const turns = Array.from({ length: 340 }, (_, number) => {
    const choices = [{ index: 0, message: { role: 'assistant', content: answer }, finish_reason: 'stop' }]
    const messages = [{ role: 'user', content: 'on' }]
    const part = { type: 'part', answer: `a${number}`, deltas: [{ type: 'text', index: 0, text: 'word ' }] }
    return [
      line({ type: 'turn', at, id: `t${number}`, parent: `a${number - 1}`, messages }),
      line({ type: 'answer', at, id: `a${number}`, parent: `t${number}` }),
      line(part).repeat(1000),
      line({ type: 'end', at, answer: `a${number}`, choices }),
    ].join('')
  })
  expect(turns.join('').length).toBeGreaterThan(27e6)
  writeFileSync(join(folder, '20261121-100000-aaaaaa.jsonl'), turns.join(''))
  const NODE_OPTIONS = '--max-old-space-size=24'
  const { code, out } = await startSyn(['chat', '-c', '--dry-run', 'more'], { ...env, NODE_OPTIONS }).ended
  expect(code).toBe(0)
  const { messages } = JSON.parse(out) as { messages: { content: string }[] }
  expect(messages).toHaveLength(681)
  expect(messages.at(-2)?.content).toBe(answer)
})
