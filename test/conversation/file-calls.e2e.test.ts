/** What the program reads of a conversation that changes meanwhile. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { conversationsFolder } from '../helpers/conversations.ts'
import { environment, startSyn } from '../helpers/program.ts'

const at = '2026-11-21T10:00:00.000Z'
const id = '20261121-101512-4f7a9c'

function line(entry: object): string {
  return `${JSON.stringify(entry)}\n`
}

test('an answer that ends after its log was read, and before its parts are, is complete', async () => {
  const env = environment()
  const folder = conversationsFolder(env.HOME ?? '')
  mkdirSync(folder, { recursive: true })
  const log = join(folder, `${id}.jsonl`)
  const turn = { type: 'turn', at, id: 'tttttttt', messages: [{ role: 'user', content: 'Hi' }] }
  const answer = { type: 'answer', at, id: 'aaaaaaaa', parent: 'tttttttt' }
  const part = { type: 'part', answer: 'aaaaaaaa', deltas: [{ type: 'text', index: 0, text: 'Hel' }] }
  const end = { type: 'end', at, answer: 'aaaaaaaa', choices: [{ index: 0, message: { content: 'Hello you' } }] }
  writeFileSync(log, line(turn) + line(answer))
  writeFileSync(join(folder, `${id}.aaaaaaaa.part`), line(part))
  const endBeforeParts = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const { openSync } = fs
    fs.openSync = (path, ...others) => {
      if (String(path).endsWith('.part')) {
        fs.appendFileSync(${JSON.stringify(log)}, ${JSON.stringify(line(end))})
        fs.unlinkSync(path)
      }
      return openSync(path, ...others)
    }
    syncBuiltinESMExports()`
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(endBeforeParts)}`
  const { code, out, err } = await startSyn(['sessions', 'show', id], { ...env, NODE_OPTIONS }).ended
  expect({ code, out, err }).toEqual({ code: 0, out: 'User\nHi\n\nAssistant\nHello you\n', err: '' })
})
