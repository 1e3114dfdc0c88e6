/** Goes on where a text stops, for text completions. */

import type { Chance } from '../chance.ts'
import { beginning, plural, wordsOf } from './phrases.ts'

const openings = [
  'and that is where the stand-in picks up the thread',
  'and so the tale goes on, told by a stand-in',
  'and a stand-in, having no model to ask, carries on',
]

const middles = [
  'It had read every word, all the way to',
  'It counted what it was given and kept hold of',
  'It looked back once, at',
]

const endings = [
  'Nothing was invented that a rule could not have found. The end.',
  'The next words would be a real model’s to write. The end.',
  'Ask again and the same words will come. The end.',
]

export function continueText(prompt: string, variant: number, chance: Chance): string {
  const words = wordsOf(prompt)
  const last = words.slice(-3).join(' ')
  const space = prompt === '' || /\s$/.test(prompt) ? '' : ' '
  const start = `${space}${chance.pick(openings)}`
  const count = `It was given ${plural(words.length, 'word')} to start from, beginning “${beginning(prompt, 40)}”.`
  const memory = last === '' ? '' : ` ${chance.pick(middles)} “${last}”.`
  const telling = variant === 0 ? '' : ` This is telling number ${variant + 1}.`
  return `${start}. ${count}${memory}${telling}\n\n${chance.pick(endings)}\n`
}
