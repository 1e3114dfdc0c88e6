import type { Chance } from '../chance.ts'
import { languages, type Language } from './languages.ts'
import { languagesIn } from './named-languages.ts'
import { numberIn } from './numbers.ts'
import { programLines } from './program.ts'
import type { Task } from './task.ts'

const list = new Intl.ListFormat('en-GB')

/** A table of the languages named, or of as many as were asked for; below it a program in the first, if one is wanted. */
export function writeComparison({ instruction, request, chance }: Task): string | undefined {
  const named = languagesIn(instruction)
  const compared = named.length > 1 ? named : anyLanguages(instruction, chance)
  const [first] = compared
  if (first === undefined) return undefined
  const rows = compared.map(({ name, year, command }) => `| **${name}** | ${year} | \`${command}\` |`)
  const example = /\b(?:code|examples?|programs?|snippet)\b/i.test(instruction)
    ? ['', `The beginning of your question, printed in **${first.name}**:`, '', ...programLines(first, request)]
    : []
  return [
    `## ${list.format(compared.map(({ name }) => name))}`,
    '',
    '| Language | Since | Run it with |',
    '| :--- | ---: | :--- |',
    ...rows,
    ...example,
  ].join('\n')
}

function anyLanguages(instruction: string, chance: Chance): Language[] {
  const count = /\blanguages\b/i.test(instruction) ? (numberIn(instruction) ?? 0) : 0
  return chance.shuffle(languages).slice(0, count)
}
