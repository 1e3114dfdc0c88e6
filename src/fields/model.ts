/** Names of models: section 1 of the specification. */

/** The aliases of categories of models. */
export const modelAliases = ['syn:large:text', 'syn:small:text', 'syn:large:vision', 'syn:small:vision'] as const

/** `hf:` or `syn:` and any text without spaces. A `syn:` name that is not known passes: aliases may be added. */
export function isModelName(name: string): boolean {
  return /^(hf|syn):\S+$/.test(name)
}
