/** Runs `syn chat` against a service that gives every request the same answer. */

import { expect } from 'vitest'
import { runSyn, type Outcome, type World } from './run-syn.ts'
import { chatAnswer, events, startService, type Answer, type Asked } from './service.ts'

export interface ChatWorld extends World {
  /** What the service answers; a short streamed text when absent. */
  answer?: Answer
}

export interface Chatted extends Outcome {
  asked: Asked[]
}

export async function chat(argv: string[], world: ChatWorld = {}): Promise<Chatted> {
  const { answer = events(chatAnswer(['Hel', 'lo'])), env, ...others } = world
  await using service = await startService(answer)
  const outcome = await runSyn(['chat', ...argv], { ...others, env: { ...service.env, ...env } })
  return { ...outcome, asked: service.asked }
}

/** The one body that a successful run sent. */
export async function sentBy(argv: string[], world: ChatWorld = {}): Promise<Record<string, unknown>> {
  const { code, err, asked } = await chat(argv, world)
  expect({ code, err, requests: asked.length }).toEqual({ code: 0, err: '', requests: 1 })
  return asked[0]?.json as Record<string, unknown>
}

/** What the user says in the one message that a successful run sent. */
export async function promptSentBy(argv: string[], world: ChatWorld = {}): Promise<unknown> {
  const { messages } = (await sentBy(argv, world)) as { messages: { role: string; content: unknown }[] }
  expect(messages.map(({ role }) => role)).toEqual(['user'])
  return messages[0]?.content
}

/**
 * The one line that a run is refused with, and its hint, without `syn: ` and `hint: `: checks that nothing was sent,
 * nothing written, and that the exit status is that of wrong usage.
 */
export async function refusalOf(argv: string[], world: ChatWorld = {}): Promise<string> {
  const { code, out, err, asked } = await chat(argv, world)
  expect({ code, out, requests: asked.length, err }).toEqual({ code: 2, out: '', requests: 0, err })
  const [, message, hint] = /^syn: (.+)\n(?:hint: (.+)\n)?$/.exec(err) ?? []
  expect(message, err).toBeDefined()
  return hint === undefined ? `${message}` : `${message} (${hint})`
}
