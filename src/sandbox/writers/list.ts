import { numberIn, numberWord } from './numbers.ts'
import type { Task } from './task.ts'

const qualities = ['quiet', 'bright', 'sturdy', 'curious', 'patient', 'nimble', 'humble', 'splendid', 'frugal', 'bold']
const mostItems = 100

/** As many items as were asked for, named after what was asked for. */
export function writeList({ instruction, chance }: Task): string | undefined {
  const count = numberIn(instruction)
  const topic = /\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s+(.+?)[.?!:]*$/i.exec(
    instruction,
  )?.[1]
  if (count === undefined || topic === undefined || count < 1 || count > mostItems) return undefined
  const noun =
    /^(?:[\p{L}'-]+\s+){0,2}?([\p{L}'-]+?)s?(?=\s+(?:for|of|in|about|to|that|with|from|on)\b|$)/iu.exec(topic)?.[1] ??
    'item'
  const order = chance.shuffle(qualities)
  const items = Array.from({ length: count }, (_, at) => {
    const round = Math.floor(at / order.length)
    return `${at + 1}. **The ${order[at % order.length]} ${noun}**${round === 0 ? '' : `, take ${round + 1}`}`
  })
  return [`Here ${count === 1 ? 'is' : 'are'} *${numberWord(count)} ${topic}*:`, '', ...items].join('\n')
}
