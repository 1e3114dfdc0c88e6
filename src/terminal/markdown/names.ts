/**
 * Names of Python and of folders that stand between underscores, as `__init__.py` and `src/__tests__/` do: what stands around
 * them tells them from what is strong. Whoever holds text back and whoever reads it in the end both ask here.
 */

/** Names are not longer, nor is what tells them. */
const longest = 80

/**
 * @param from Where the text begins that is looked at.
 * @param at Where two underscores stand, and no more.
 * @param isEnd Whether nothing follows the text.
 * @returns where the name ends, with what compares or sets it; -1 where there is none; nothing when that depends on what
 * follows.
 */
export function nameEnd(text: string, from: number, at: number, isEnd: boolean): number | undefined {
  const rest = text.slice(at, at + longest)
  const isOpen = !isEnd && rest.length < longest
  const [name] = /^__[a-z][a-z\d]*(?:_[a-z\d]+)*__(?!\w)/.exec(rest) ?? []
  if (name === undefined) return isOpen && /^__(?:[a-z][a-z\d_]*)?$/.test(rest) ? undefined : -1
  const after = rest.slice(name.length)
  if (isOpen && /^(?:\.| (?:!=?|={0,2}))?$/.test(after)) return undefined
  const end = at + name.length
  const before = text.slice(Math.max(from, at - 2), at)
  const isQuoted = /["'*]$/.test(before) && after.startsWith(before.slice(-1))
  if (isQuoted || /(?:[\w)\]}"']\.|\/)$/.test(before) || /^(?:[(/]|\.[a-z_])/i.test(after)) return end
  const [operator] = /^ (?:!=|==?)(?= |$)/.exec(after) ?? []
  return operator === undefined ? -1 : end + operator.length
}
