/** What is left of a line of the source; tabs reach to the next multiple of four columns. */
export interface Rest {
  readonly text: string
  /** Where it begins. */
  readonly column: number
}

const tabStop = 4

/** Columns of white space that it begins with. */
export function indentOf({ text, column }: Rest): number {
  let end = column
  for (const character of text) {
    if (character === ' ') end++
    else if (character === '\t') end += tabStop - (end % tabStop)
    else break
  }
  return end - column
}

/** Takes away so many columns of its indent; of a tab that reaches further, spaces stay. */
export function dropColumns({ text, column }: Rest, columns: number): Rest {
  const end = column + columns
  let [at, reached] = [0, column]
  while (reached < end) {
    reached += text.charAt(at) === '\t' ? tabStop - (reached % tabStop) : 1
    at++
  }
  return { text: ' '.repeat(reached - end) + text.slice(at), column: end }
}
