/** What is shown of several content blocks, kept apart by blank lines where the blocks would run into each other. */
export class Paragraphs {
  readonly #distance: number
  #block: number | undefined
  #end = ''

  /** @param distance Blocks whose numbers differ by as much are kept apart; nearer ones are one text. */
  constructor(distance: number) {
    this.#distance = distance
  }

  /** @returns the piece, after a blank line where it is the first of a block that has to stand apart. */
  put(block: number, piece: string): string {
    const isApart = this.#block !== undefined && block - this.#block >= this.#distance
    const shown = isApart ? blankLineAfter(this.#end) + piece : piece
    this.#block = block
    this.#end = (this.#end + shown).slice(-2)
    return shown
  }

  /** Something else was shown, which stands apart by itself. */
  forget(): void {
    this.#block = undefined
  }
}

/** What a text with this end lacks. */
function blankLineAfter(end: string): string {
  if (end.endsWith('\n\n')) return ''
  return end.endsWith('\n') ? '\n' : '\n\n'
}
