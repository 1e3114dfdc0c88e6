/** Names of models: section 1 of the specification. */

import { nearest, suggestion } from './nearest.ts'

/** The aliases of categories of models. */
export const modelAliases = ['syn:large:text', 'syn:small:text', 'syn:large:vision', 'syn:small:vision'] as const

/** `hf:` or `syn:` and any text without spaces. A `syn:` name that is not known passes: aliases may be added. */
export function isModelName(name: string): boolean {
  return /^(hf|syn):\S+$/.test(name)
}

/**
 * What is accepted instead of a value that is no name of a model, and which name was likely meant.
 * @param aliases False where only `hf:` names are accepted.
 */
export function expectedModel(given: unknown, aliases: false | undefined): string {
  if (aliases === false) return 'a name that starts with hf:'
  const known = `a name that starts with hf:, or an alias: ${modelAliases.join(', ')}`
  if (typeof given !== 'string') return known
  // Organization and name, as the hub writes them: only the prefix is missing.
  if (/^[\w.-]+\/[\w.-]+$/.test(given)) return `${known} (did you mean hf:${given}?)`
  return known + suggestion(`syn:${given.replace(/^syn:?/, '')}`, modelAliases)
}

/** What to say of a model name that is acceptable but unknown; nothing for the others. */
export function modelNotice(name: string): string | undefined {
  if (!name.startsWith('syn:') || (modelAliases as readonly string[]).includes(name)) return undefined
  const meant = nearest(name, modelAliases)
  return `${name} is not an alias known here${meant ? ` (did you mean ${meant}?)` : ''}; sending it as it is`
}
