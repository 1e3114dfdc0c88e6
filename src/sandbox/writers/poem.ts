import { wordsOf } from './phrases.ts'
import type { Task } from './task.ts'

const firsts = ['Rules in a small room', 'No one thinks in here', 'Loopback, quiet port']
const lasts = ['same words, every time', 'the answer waits, still', 'only echoes speak']

/** Three short lines around a word of the prompt. */
export function writePoem({ instruction, chance }: Task): string {
  const about = /\b(?:about|on|of)\s+(.+?)[.?!]*$/i.exec(instruction)?.[1]
  const subject = about ?? wordsOf(instruction).at(-1) ?? 'nothing'
  return [
    `### On *${subject}*`,
    '',
    `> ${chance.pick(firsts)}  `,
    `> ${subject}, asked for in plain text  `,
    `> ${chance.pick(lasts)}`,
  ].join('\n')
}
