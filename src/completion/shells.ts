/** The shells, each with its script, which asks the program for all that it offers. */

export const shells: Readonly<Record<string, () => Promise<string>>> = {
  bash: async () => (await import('./bash.ts')).bashScript,
  zsh: async () => (await import('./zsh.ts')).zshScript,
  fish: async () => (await import('./fish.ts')).fishScript,
}

export const shellNames = Object.keys(shells)
