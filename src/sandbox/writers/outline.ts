import { countTable } from './statistics.ts'
import { beginning } from './phrases.ts'
import type { Task } from './task.ts'

const closings = ['That is as far as rules go.', 'A real model would know more.', 'The rest needs a mind.']

/** A sectioned answer about whatever was asked: honest about knowing nothing, but with everything Markdown has. */
export function writeOutline({ request, instruction, material, chance }: Task): string {
  const topic = instruction
    .replace(/^(?:please |can you |could you )?(?:explain|describe|compare)?\s*/i, '')
    .replace(/[?.!\s]+$/, '')
  return [
    `# ${capitalised(beginning(topic, 60))}`,
    '',
    `You asked: *${beginning(request, 160)}*`,
    '',
    '## What I know',
    '',
    'I am a **stand-in**, so I know only what the question itself holds:',
    '',
    countTable(material),
    '',
    '## How to find out',
    '',
    '1. Store the address and key of a real service with `syn login`.',
    '2. Ask again **without** `--sandbox`:',
    '',
    '```sh',
    `syn chat ${shellWord(beginning(instruction, 60))}`,
    '```',
    '',
    `> ${chance.pick(closings)}`,
  ].join('\n')
}

function capitalised(text: string): string {
  return text === '' ? 'Your question' : text.charAt(0).toUpperCase() + text.slice(1)
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
