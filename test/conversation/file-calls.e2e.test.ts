/** What the program does with the files of conversations: which it touches, and in which order. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { conversationsFolder } from '../helpers/conversations.ts'
import { environment, startSyn, type Ended } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { chatAnswer, events, startService } from '../helpers/service.ts'

/** Runs the program with code that sees each call of node:fs with a path in its first argument. */
function runWatched(argv: string[], env: Record<string, string>, onCall: string): Promise<Ended> {
  const preload = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const { appendFileSync, unlinkSync } = fs
    const onCall = ${onCall}
    for (const module of [fs, fs.promises]) {
      for (const [name, call] of Object.entries(module)) {
        if (typeof call !== 'function' || /^[A-Z]/.test(name)) continue
        module[name] = (path, ...others) => {
          if (typeof path === 'string' && path.includes('/conversations')) onCall(name, path)
          return call.call(module, path, ...others)
        }
      }
    }
    syncBuiltinESMExports()`
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(preload)}`
  return startSyn(argv, { ...env, NODE_OPTIONS }).ended
}

const at = '2026-11-21T10:00:00.000Z'
const id = '20261121-101512-4f7a9c'
const user = (content: string): object => ({ role: 'user', content })
const end = { type: 'end', at, answer: 'aaaaaaaa', choices: [{ index: 0, message: { content: 'Hello you' } }] }

/** Writes a conversation whose answer is in progress. */
function startedIn(home: string, name = id): string {
  const folder = conversationsFolder(home)
  mkdirSync(folder, { recursive: true })
  const log = join(folder, `${name}.jsonl`)
  const turn = { type: 'turn', at, id: 'tttttttt', messages: [user('Hi')] }
  const answer = { type: 'answer', at, id: 'aaaaaaaa', parent: 'tttttttt' }
  const part = { type: 'part', answer: 'aaaaaaaa', deltas: [{ type: 'text', index: 0, text: 'Hel' }] }
  writeFileSync(log, `${JSON.stringify(turn)}\n${JSON.stringify(answer)}\n`)
  writeFileSync(join(folder, `${name}.aaaaaaaa.part`), `${JSON.stringify(part)}\n`)
  return log
}

test('an answer that ends after its log was read, and before its parts are, is complete', async () => {
  const env = environment()
  const log = startedIn(env.HOME ?? '')
  const endAnswer = `(name, path) => {
    if (name !== 'openSync' || !path.endsWith('.part')) return
    appendFileSync(${JSON.stringify(log)}, ${JSON.stringify(`${JSON.stringify(end)}\n`)})
    unlinkSync(path)
  }`
  const { code, out, err } = await runWatched(['sessions', 'show', id], env, endAnswer)
  expect({ code, out, err }).toEqual({ code: 0, out: 'User\nHi\n\nAssistant\nHello you\n', err: '' })
})

test('a new conversation costs the same, however many there are', async () => {
  await using service = await startService(events(chatAnswer(['Hello'])))
  const callsWith = async (conversations: number): Promise<string[]> => {
    const env = environment(service)
    for (let number = 0; number < conversations; number++) startedIn(env.HOME ?? '', id.replace('0', String(number)))
    const calls = join(emptyFolder(), 'calls')
    const listCalls = `(name) => appendFileSync(${JSON.stringify(calls)}, name + '\\n')`
    expect(await runWatched(['chat', '--save', 'hi'], env, listCalls)).toMatchObject({ code: 0, out: 'Hello\n' })
    return readFileSync(calls, 'utf8').split('\n')
  }
  const few = await callsWith(1)
  expect(few.length).toBeGreaterThan(1)
  expect(await callsWith(5)).toEqual(few)
})
