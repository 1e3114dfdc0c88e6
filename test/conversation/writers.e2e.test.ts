import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ConversationFolder } from '../../src/conversation/folder.ts'
import { chatMessageText } from '../../src/conversation/message.ts'
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

test('while another process records answers, none that was read is missing or shorter later', async () => {
  const path = emptyFolder()
  const folder = new ConversationFolder(path)
  const read = (): string[] =>
    folder.files().flatMap((file) => {
      const { stored, problems } = folder.read(file)
      expect(problems).toEqual([])
      return (
        stored?.conversation.nodes.flatMap((one) => (one.type === 'answer' ? chatMessageText(one.message) : [])) ?? []
      )
    })
  const script = await bundled(fileURLToPath(new URL('write-answers.ts', import.meta.url)))
  const child = spawn(node, [script, path], { env: environment(), stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = once(child, 'close')
  let before: string[] = []
  while (child.exitCode === null) {
    const answers = read()
    for (const [at, text] of before.entries()) expect(answers[at]).toMatch(new RegExp(`^${text}`))
    expect(answers.slice(0, -1)).toEqual(answers.slice(0, -1).fill('one two three'))
    before = answers
    await setImmediate()
  }
  expect(await ended).toEqual([0, null])
  expect(read()).toEqual(Array(200).fill('one two three'))
  expect(readdirSync(path)).toHaveLength(1)
})
