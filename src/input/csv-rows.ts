/** Splits CSV and TSV into rows of cells, as programs write them: each row has its own line end. */

import { UsageError } from '../errors.ts'
import { maxRecordSize, tooLong } from '../io/text/lines.ts'

export interface CsvRow {
  /** The number of its first line. */
  readonly line: number
  readonly cells: string[]
  /** Why the cells may not be those that were meant. */
  readonly problem: string | undefined
}

/** Reads a document in pieces. A piece ends at the end of a line, which may be inside a cell. */
export class CsvRowReader {
  readonly #where: string
  readonly #delimiter: string
  /** A line end, a quote, a delimiter, or the text up to the next of these. */
  readonly #token: RegExp
  /** Many programs write TSV without quoting: a quote is then text, unless a cell is in quotes as a whole. */
  readonly #hasTextQuotes: boolean
  #rows: CsvRow[] = []
  #line = 1
  #firstLine = 1
  #cells: string[] = []
  #cell = ''
  #problem: string | undefined
  /** The position of the reader: in a cell without quotes, inside quotes, right after them, or in blanks and text that follow them. */
  #at: 'unquoted' | 'inside' | 'closing' | 'behind' = 'unquoted'
  /** What has followed the opening quote, which may turn out to be text; and the number of its line. */
  #sinceQuote: string[] = []
  #quoteLine = 1

  /** @param where Names the document in errors. */
  constructor(delimiter: string, where: string) {
    const special = `"\\n\\r\\u{${delimiter.codePointAt(0)?.toString(16)}}`
    this.#where = where
    this.#delimiter = delimiter
    this.#token = new RegExp(`\\r\\n|[${special}]|[^${special}]+`, 'gu')
    this.#hasTextQuotes = delimiter === '\t'
  }

  /** @returns the rows that end in the text, without lines that are empty. @throws UsageError for a row that is too long. */
  read(text: string): CsvRow[] {
    this.#rows = []
    for (const [token] of text.matchAll(this.#token)) this.#add(token)
    const size = this.#cells.reduce((sum, { length }) => sum + length, this.#cell.length)
    if (size > maxRecordSize) throw tooLong(this.#where, this.#firstLine, 'row')
    return this.#rows
  }

  /** @returns the last row, and others if its quote was text. @throws UsageError for a quote that nothing closes. */
  end(): CsvRow[] {
    this.#rows = []
    while (this.#at === 'inside') {
      // An open quote may hide any number of rows.
      if (!this.#hasTextQuotes) throw new UsageError(`${this.#where}, line ${this.#firstLine}: unclosed quote`)
      this.#readAgain()
    }
    this.#endRow()
    return this.#rows
  }

  #add(token: string): void {
    if (this.#at === 'unquoted') return this.#addUnquoted(token)
    this.#sinceQuote.push(token)
    if (this.#at === 'inside') this.#addInside(token)
    else this.#addBehind(token)
  }

  #addUnquoted(token: string): void {
    if (this.#endsCell(token)) return
    if (token === '"' && (this.#hasTextQuotes ? this.#cell === '' : isBlank(this.#cell))) {
      this.#cell = ''
      this.#at = 'inside'
      this.#sinceQuote = []
      this.#quoteLine = this.#line
      return
    }
    if (token === '"' && !this.#hasTextQuotes) this.#problem ??= 'quote inside an unquoted column'
    this.#cell += token
  }

  #addInside(token: string): void {
    if (isLineEnd(token)) this.#line += 1
    if (token === '"') this.#at = 'closing'
    else this.#cell += token
  }

  #addBehind(token: string): void {
    if (this.#endsCell(token)) return
    if (token === '"' && this.#at === 'closing') {
      // Two quotes stand for one.
      this.#cell += token
      this.#at = 'inside'
    } else if (!this.#hasTextQuotes && (isBlank(token) || this.#quoteLine === this.#line)) {
      if (!isBlank(token)) this.#problem ??= 'text after a closing quote'
      this.#at = 'behind'
    } else this.#readAgain()
  }

  #endsCell(token: string): boolean {
    if (isLineEnd(token)) this.#endRow()
    else if (token === this.#delimiter) this.#endCell()
    else return false
    return true
  }

  #endCell(): void {
    this.#cells.push(this.#cell)
    this.#cell = ''
    this.#at = 'unquoted'
  }

  #endRow(): void {
    const isEmptyLine = this.#cells.length === 0 && this.#cell === '' && this.#at === 'unquoted'
    this.#endCell()
    if (!isEmptyLine) this.#rows.push({ line: this.#firstLine, cells: this.#cells, problem: this.#problem })
    this.#cells = []
    this.#problem = undefined
    this.#line += 1
    this.#firstLine = this.#line
  }

  /** The opening quote opens nothing: what it seemed to hold may be the end of the row, and others. */
  #readAgain(): void {
    if (!this.#hasTextQuotes) this.#problem = 'unclosed quote'
    this.#line = this.#quoteLine
    this.#cell = '"'
    this.#at = 'unquoted'
    for (const token of this.#sinceQuote) this.#add(token)
  }
}

function isLineEnd(token: string): boolean {
  return token === '\n' || token === '\r\n' || token === '\r'
}

function isBlank(text: string): boolean {
  return /^[ \t]*$/.test(text)
}
