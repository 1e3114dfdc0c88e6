import type { Language } from './languages.ts'
import { beginning } from './phrases.ts'

/** A program in a fence, which prints the beginning of what was asked for. */
export function programLines({ fence, program }: Language, request: string): string[] {
  const text = beginning(request.replace(/[^\p{L}\p{N} ]+/gu, ' '), 60).replace('…', '')
  return [`\`\`\`${fence}`, ...program(text), '```']
}
