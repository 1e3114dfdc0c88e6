/**
 * The delay of a text: from the service's write to the moment when it can be read from the program's pipe. Service and
 * reader are in this process, so that one clock is read.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Entrant, Figure, Setting } from './figures.ts'
import { assertComplete, median } from './measure.ts'
import { answerEvents, modelWithEvents, textWithEvents, tokensFrom } from './replies.ts'
import { floor, type Question } from './rivals.ts'

const count = 20
/** In milliseconds: longer than any delay, so that each text is read before the next is written. */
const interval = 15
const question: Question = { operation: 'chat', model: modelWithEvents(count), answer: textWithEvents(count) }

export async function measureDelays(setting: Setting): Promise<Figure[]> {
  if (!['first', 'later'].some((name) => setting.wants(`delays/${name}`))) return []
  const written: number[] = []
  const server = createServer((request, response) => {
    request.resume().on('end', () => void answer(response, written))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = { ...setting, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  const { node, syn, env, baseUrl, key } = own
  const base = floor('delays/floor', question, own)
  const entrant: Entrant = { ...base, label: 'syn chat', command: [node, syn, 'chat', '-m', question.model, 'hi'] }
  const delays = [base, entrant].map((one) => ({ one, first: [] as number[], later: [] as number[] }))
  try {
    for (let round = 0; round <= setting.rounds; round++) {
      for (const { one, first, later } of delays) {
        const withAccount = { ...env, SYN_BASE_URL: baseUrl, SYN_API_KEY: key }
        const [delay = NaN, ...others] = await delaysOf(one, withAccount, written)
        if (round === 0) continue
        first.push(delay)
        later.push(...others)
      }
    }
  } finally {
    server.close()
  }
  return (['first', 'later'] as const).flatMap((which) => {
    const [least = NaN, delay = NaN] = delays.map((one) => median(one[which]))
    const [baseLabel, label] = delays.map(({ one }) => `${one.label}, ${which} text`) as [string, string]
    return [
      { id: `delays/floor-${which}`, label: baseLabel, delay: least },
      { id: `delays/${which}`, label, delay, base: baseLabel, extra: delay - least },
    ]
  })
}

/** @param written Gets the time of each write. */
async function answer(response: ServerResponse, written: number[]): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const { start, texts, end } = answerEvents('chat', count)
  for (const [at, text] of texts.entries()) {
    written.push(performance.now())
    response.write(at === 0 ? start + text : text)
    await setTimeout(interval)
  }
  response.end(end)
}

/** @returns the delay of each text. */
async function delaysOf(entrant: Entrant, env: Record<string, string>, written: number[]): Promise<number[]> {
  written.length = 0
  const [command, ...argv] = entrant.command
  const child = spawn(command, argv, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err]: [Buffer[], Buffer[]] = [[], []]
  const arrivals: { readonly time: number; readonly length: number }[] = []
  let length = 0
  child.stdout.on('data', (chunk: Buffer) => {
    length += chunk.length
    arrivals.push({ time: performance.now(), length })
    out.push(chunk)
  })
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  await assertComplete(entrant, {
    status: code ?? signal ?? '',
    output: Buffer.concat(out),
    err: String(Buffer.concat(err)),
  })
  let end = 0
  return tokensFrom(0, count).map((token, at) => {
    end += token.length
    const arrived = arrivals.find(({ length }) => length >= end)
    return (arrived?.time ?? NaN) - (written[at] ?? NaN)
  })
}
