import { nearest } from './nearest.ts'

/** The category aliases of section 1 of the specification. */
export const modelAliases = ['syn:large:text', 'syn:small:text', 'syn:large:vision', 'syn:small:vision'] as const

/** `hf:` or `syn:` and any text without spaces. A `syn:` name that is not known passes: aliases may be added. */
export function isModelName(name: string): boolean {
  return /^(hf|syn):\S+$/.test(name)
}

/** What to say of a model name that is acceptable but unknown; nothing for the others. */
export function modelNotice(name: string): string | undefined {
  if (!name.startsWith('syn:') || (modelAliases as readonly string[]).includes(name)) return undefined
  const meant = nearest(name, modelAliases)
  return `${name} is not an alias known here${meant ? ` (did you mean ${meant}?)` : ''}; sending it as it is`
}
