/** The shells, each with its script, which asks the program for all that it offers. */

export const shells = {
  bash: async () => (await import('./bash.ts')).bashScript,
  zsh: async () => (await import('./zsh.ts')).zshScript,
  fish: async () => (await import('./fish.ts')).fishScript,
} as const satisfies Readonly<Record<string, () => Promise<string>>>

export type Shell = keyof typeof shells

export const shellNames = Object.keys(shells) as Shell[]

export function isShell(word: string): word is Shell {
  return Object.hasOwn(shells, word)
}
