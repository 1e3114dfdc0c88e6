/** Streams: CPU time and memory for 200,000 events, as a multiple of a floor that reads the same events. */

import { compare, type Entrant, type Figure, type Setting } from './figures.ts'
import { prints } from './measure.ts'
import { modelWithEvents, type StreamOperation, textWithEvents } from './replies.ts'
import { floor, type Question, rivals } from './rivals.ts'

const count = 200_000
const operations: readonly StreamOperation[] = ['chat', 'messages', 'complete']

function synEntrant(id: string, { operation, model, answer }: Question, { node, syn }: Setting): Entrant {
  const command = [node, syn, operation, '-m', model, 'hi'] as const
  return { id, label: `syn ${operation}`, command, problem: prints(answer), peak: true }
}

function questionOf(operation: StreamOperation, events: number): Question {
  return { operation, model: modelWithEvents(events), answer: textWithEvents(events) }
}

export async function measureStreams(setting: Setting): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const operation of operations) {
    const question = questionOf(operation, count)
    const id = `streams/${operation}`
    const base = { ...floor(`${id}-floor`, question, setting), peak: true }
    const others = operation === 'chat' ? rivals(id, question, setting) : []
    figures.push(...(await compare(base, [synEntrant(id, question, setting), ...others], setting)))
  }
  return figures
}

/** Whether memory grows with the length of an answer. */
export function measureStreamMemory(setting: Setting): Promise<Figure[]> {
  const [short, long] = [count, 10 * count].map((events) => {
    const id = events === count ? 'stream-memory/short' : 'stream-memory/long'
    const label = `syn chat, ${events.toLocaleString('en')} events`
    return { ...synEntrant(id, questionOf('chat', events), setting), label }
  }) as [Entrant, Entrant]
  return compare(short, [long], setting)
}
