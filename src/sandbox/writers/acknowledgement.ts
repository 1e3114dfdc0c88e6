import { beginning, plural } from './phrases.ts'
import { countTable } from './statistics.ts'
import type { Task } from './task.ts'

const openings = ['I have read this', 'This reached me', 'Here is what I was given', 'Your words arrived']

/** For whatever no rule is about: shows what was received. */
export function writeAcknowledgement({ request, turns, chance }: Task): string {
  const system = turns.find((turn) => turn.role === 'system')
  const earlier = turns.filter((turn) => turn.role === 'user' || turn.role === 'assistant').length - 1
  const notes = [
    ...(system ? [`- The **system** instruction begins “${beginning(system.text, 80)}”.`] : []),
    ...(earlier > 0 ? [`- ${plural(earlier, 'message')} came before it.`] : []),
  ]
  const received = `## ${chance.pick(openings)}\n\n> ${beginning(request, 200)}\n\n${countTable(request)}`
  const advice =
    'Try *“say hello in five languages”*, *“write a Python function”*, *“summarise: …”* or *“count to 20”*.'
  return [received, ...(notes.length > 0 ? [notes.join('\n')] : []), advice].join('\n\n')
}
