import { isObject, parseJsonIfValid } from '../../io/json.ts'
import { beginning } from './phrases.ts'
import type { Task } from './task.ts'

/** Tells what the tools gave back since the user's last words. */
export function writeToolReport({ turns, request }: Task): string {
  const start = turns.findLastIndex((turn) => turn.role !== 'tool') + 1
  const reports = turns
    .slice(start)
    .map(({ tool, text }) => `${tool ? `**${tool}** says` : 'The tool says'}${told(text)}`)
  const question = request === '' ? [] : [`You asked “${beginning(request, 120)}”.`]
  return [...question, ...reports].join('\n\n')
}

function told(text: string): string {
  const value = parseJsonIfValid(text)
  if (!isObject(value)) return `: ${beginning(text, 400)}`
  const lines = Object.entries(value).map(
    ([key, entry]) => `- **${key}:** ${typeof entry === 'string' ? entry : JSON.stringify(entry)}`,
  )
  return [':', '', ...lines].join('\n')
}
