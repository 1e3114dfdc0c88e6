/** The shells, each with the function that renders its script. */

import type { CommandLine } from './command-line.ts'

export const shells = {
  bash: async () => (await import('./bash.ts')).bashScript,
  zsh: async () => (await import('./zsh.ts')).zshScript,
  fish: async () => (await import('./fish.ts')).fishScript,
  powershell: async () => (await import('./powershell.ts')).powershellScript,
} as const satisfies Readonly<Record<string, () => Promise<(line: CommandLine) => string>>>

export type Shell = keyof typeof shells

export const shellNames = Object.keys(shells) as Shell[]

export function isShell(word: string): word is Shell {
  return Object.hasOwn(shells, word)
}
