/** What the specification says of the names of models (section 1). */

/** The aliases of model categories. */
export const modelAliases = ['syn:large:text', 'syn:small:text', 'syn:large:vision', 'syn:small:vision'] as const

/** `hf:` or `syn:` and any text without spaces. Unknown `syn:` names pass: aliases may be added. */
export function isModelName(name: string): boolean {
  return /^(hf|syn):\S+$/.test(name)
}
