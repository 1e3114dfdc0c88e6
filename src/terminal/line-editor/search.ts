/** Ctrl-R: searches the history while the words are still being typed. */

export interface Search {
  readonly words: string
  /** Index of the text that was found last, among the texts of the history. */
  readonly found: number | undefined
  /** Where the words stand in it. */
  readonly place: number
  readonly isFailing: boolean
}

type Direction = 'older' | 'newer'

export function startSearch(): Search {
  return { words: '', found: undefined, place: 0, isFailing: false }
}

/** Looks for other words from where it stands, so that what still matches stays. */
export function searchFor(search: Search, words: string, texts: readonly string[]): Search {
  if (words === '') return startSearch()
  // With fewer words a newer text may match again.
  const from = words.startsWith(search.words) ? (search.found ?? texts.length - 1) : texts.length - 1
  return find({ ...search, words }, texts, from, 'older')
}

/** The next text in that direction. */
export function searchOn(search: Search, texts: readonly string[], direction: Direction): Search {
  if (search.words === '') return search
  const from = search.found ?? texts.length
  return find(search, texts, direction === 'older' ? from - 1 : from + 1, direction)
}

function find(search: Search, texts: readonly string[], from: number, direction: Direction): Search {
  const step = direction === 'older' ? -1 : 1
  for (let index = from; index >= 0 && index < texts.length; index += step) {
    const place = placeOf(search.words, texts[index] ?? '')
    if (place !== -1) return { ...search, found: index, place, isFailing: false }
  }
  return { ...search, isFailing: true }
}

/** Small letters also find capital ones. */
function placeOf(words: string, text: string): number {
  const isExact = words !== words.toLowerCase()
  return isExact ? text.indexOf(words) : text.toLowerCase().indexOf(words)
}
