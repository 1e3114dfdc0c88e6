import { languages } from './languages.ts'
import { languagesIn } from './named-languages.ts'
import { programLines } from './program.ts'
import type { Task } from './task.ts'

/** A program in the language named, and in a second block the command that runs it. */
export function writeCode({ instruction, request }: Task, [, named]: RegExpExecArray): string | undefined {
  const among = languagesIn(instruction)
  const language = languages.find((one) => among.includes(one))
  // `… in X` is about code only when X is a language.
  if (named !== undefined && !language) return undefined
  const { name, command } = language ?? languages[0]
  return [
    `Here is something in **${name}**. It prints the beginning of what you asked for:`,
    '',
    ...programLines(language ?? languages[0], request),
    '',
    'Run it with:',
    '',
    '```sh',
    command,
    '```',
  ].join('\n')
}
