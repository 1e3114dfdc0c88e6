import { languages, type Language } from './languages.ts'

/** The programming languages that a text names, in its order. */
export function languagesIn(text: string): Language[] {
  const words = text.toLowerCase().match(/[a-z0-9#+-]+/g) ?? []
  return [...new Set(words.flatMap((word) => languageCalled(word) ?? []))]
}

function languageCalled(word: string): Language | undefined {
  return languages.find(({ name, words }) => name.toLowerCase() === word || words.includes(word))
}
