/** What the specification says of models. */

/** The aliases of model categories (section 1). */
export const modelAliases = ['syn:large:text', 'syn:small:text', 'syn:large:vision', 'syn:small:vision'] as const

/** `hf:` or `syn:` and any text without spaces. Unknown `syn:` names pass: aliases may be added. */
export function isModelName(name: string): boolean {
  return /^(hf|syn):\S+$/.test(name)
}

/** The values of `reasoning_effort` (section 2.1); models may take others. */
export const specifiedEfforts: readonly string[] = ['low', 'medium', 'high']
