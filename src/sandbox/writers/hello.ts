/** Greetings in the languages that people speak. */

import { shuffle } from '../hash.ts'
import { beginning, numberIn, numberWord } from './phrases.ts'
import type { Task } from './task.ts'

const greetings: Readonly<Record<string, string>> = {
  Spanish: '¡Hola!',
  French: 'Bonjour !',
  Japanese: 'こんにちは！ (*Konnichiwa!*)',
  German: 'Guten Tag!',
  Swahili: 'Habari!',
  Italian: 'Ciao!',
  Hindi: 'नमस्ते! (*Namaste!*)',
  Portuguese: 'Olá!',
  Korean: '안녕하세요! (*Annyeonghaseyo!*)',
  Greek: 'Γειά σου! (*Yiá sou!*)',
  Icelandic: 'Halló!',
  Arabic: 'مرحبا! (*Marhaban!*)',
  Hawaiian: 'Aloha!',
  Polish: 'Cześć!',
  Chinese: '你好！ (*Nǐ hǎo!*)',
  Turkish: 'Merhaba!',
  Finnish: 'Hei!',
  Welsh: 'Helô!',
  Maori: 'Kia ora!',
  Ukrainian: 'Привіт! (*Pryvit!*)',
  English: 'Hello!',
}

/** Greets in the languages asked for, or just back. */
export function writeHello({ request, instruction, seed }: Task): string | undefined {
  const names = Object.keys(greetings)
  const named = names.filter((name) => new RegExp(String.raw`\b${name}\b`, 'i').test(instruction))
  if (named.length === 1) return listGreetings(named, '')
  if (named.length > 1) return listGreetings(named, ` in ${numberWord(named.length)} languages`)
  if (/\blanguages?\b/i.test(instruction)) {
    const count = Math.min(Math.max(numberIn(instruction) ?? 3, 1), names.length)
    const noun = count === 1 ? 'language' : 'languages'
    return listGreetings(shuffle(names, seed).slice(0, count), ` in ${numberWord(count)} ${noun}`)
  }
  // A greeting alone is answered as one; one in passing leaves the request to the other writers.
  if (!/^\W*(?:say )?(?:hello|hi|hey|greetings|good \w+)\b/i.test(instruction) || request.length > 60) return undefined
  return `**Hello there!** You said “${beginning(request, 60)}”. What can I do for you?`
}

function listGreetings(names: readonly string[], where: string): string {
  return [`**Hello**${where}:`, '', ...names.map((name) => `- **${name}:** ${greetings[name]}`)].join('\n')
}
