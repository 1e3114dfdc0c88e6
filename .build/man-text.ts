/** Man pages as plain text of 80 columns, laid out as mandoc does. */

const width = 80

/** In columns. */
const indents = { body: 5, subsection: 3, list: 8, display: 6 }

type Texts = Readonly<Record<string, string | undefined>>

/** Macros of words, with what each puts before a word. */
const wordMacros: Texts = { Ar: '', Ev: '', Fl: '-', Li: '', Pa: '' }

const escapes: Texts = {
  e: '\\',
  '-': '-',
  '%': '',
  '&': '',
  '(dq': '"',
  '(aq': "'",
  '(ga': '`',
  '(ha': '^',
  '(ti': '~',
}

/**
 * Renders a page of man/, whose files write few of the macros and escapes that there are. Others are refused: what is passed
 * over would be missing in the text without anybody noticing.
 * @param source In mdoc(7).
 * @throws Error naming a macro or an escape that it does not know.
 */
export function manText(source: string): string {
  const page = new Page()
  for (const line of source.trimEnd().split('\n')) page.read(line)
  return page.finish()
}

class Page {
  readonly #lines: string[] = []
  /** The current paragraph, with the space before each word. A word is in two parts where a line may end after its hyphen. */
  #words: { readonly text: string; readonly space: string }[] = []
  /** The start of its first line, such as the term of a list (default: the indent). */
  #lead: string | undefined
  #indent = indents.body
  #isAfterSentence = false
  #isDisplay = false
  #isSynopsis = false
  #title = ''
  #date = ''
  #system = ''

  read(line: string): void {
    const [macro, name, rest = ''] = /^\.(\w+) ?(.*)$/.exec(line) ?? []
    if (this.#isDisplay && name !== 'Ed') this.#push(expandTabs(unescape(line)), this.#indent)
    else if (name === undefined) this.#addText(line)
    else if (name === 'Dd') this.#date = rest
    else if (name === 'Dt') this.#title = rest.replace(/ (\d)$/, '($1)')
    else if (name === 'Os') this.#system = phrase(rest)
    else if (name === 'Sh') this.#addHeading(rest, 0)
    else if (name === 'Ss') this.#addHeading(phrase(rest), indents.subsection)
    else if (name === 'Nm' && this.#isSynopsis) this.#startSynopsis(phrase(rest))
    else if (name === 'Nm') this.#addPhrase(phrase(rest))
    else if (name === 'Nd') this.#addText(`– ${rest}`)
    else if (name === 'Op') this.#addPhrase(`[${phrase(rest)}]`)
    else if (name === 'Ar' || name === 'Xr') this.#addPhrase(phrase(`${name} ${rest}`))
    else if (name === 'Pp') this.#addBlank()
    else if (name === 'It') this.#addTerm(phrase(rest))
    else if (macro === '.Bl -tag -width Ds') this.#shift(indents.list)
    else if (macro === '.El') this.#shift(-indents.list)
    else if (macro === '.Bd -literal -offset indent') this.#shift(indents.display, true)
    else if (macro === '.Ed') this.#shift(-indents.display)
    else throw new Error(`unknown macro: ${line}`)
  }

  finish(): string {
    this.#endParagraph()
    const head = columns(this.#title, 'General Commands Manual', this.#title)
    return `${[head, ...this.#lines, '', columns(this.#system, this.#date, this.#system)].join('\n')}\n`
  }

  #addHeading(title: string, indent: number): void {
    this.#addBlank()
    this.#push(title, indent)
    this.#isSynopsis = title === 'SYNOPSIS'
    this.#indent = indents.body
  }

  #startSynopsis(command: string): void {
    this.#endParagraph()
    this.#lead = `${' '.repeat(indents.body)}${command} `
    this.#indent = this.#lead.length
  }

  /** The text of a short term is beside it. */
  #addTerm(term: string): void {
    this.#addBlank()
    const isShort = term.length <= indents.list - 2
    this.#lead = ' '.repeat(this.#indent - indents.list) + (isShort ? term.padEnd(indents.list) : '')
    if (isShort) return
    this.#addPhrase(term)
    this.#endParagraph()
  }

  #shift(by: number, isDisplay = false): void {
    if (isDisplay) this.#addBlank()
    else this.#endParagraph()
    this.#indent += by
    this.#isDisplay = isDisplay
  }

  /** A line may end after a hyphen between letters, but not after an escaped one. */
  #addText(line: string): void {
    for (const word of line.split(' ')) this.#addWord(...word.split(/(?<=[a-z]-)(?=[a-z])/i).map(unescape))
    this.#isAfterSentence = /[.?!]$|[a-z\d][.?!]+["')\]]+$/i.test(line)
  }

  #addPhrase(text: string): void {
    for (const word of text.split(' ')) this.#addWord(word)
  }

  #addWord(start = '', ...parts: readonly string[]): void {
    const space = this.#isAfterSentence ? '  ' : ' '
    this.#words.push({ text: start, space }, ...parts.map((text) => ({ text, space: '' })))
    this.#isAfterSentence = false
  }

  /** No blank line follows a heading. Only headings begin so far to the left. */
  #addBlank(): void {
    this.#endParagraph()
    if (!/^( {3})?\S|^$/.test(this.#lines.at(-1) ?? ' ')) this.#push('')
  }

  #endParagraph(): void {
    if (this.#words.length === 0 && this.#lead === undefined) return
    let line = this.#lead ?? ' '.repeat(this.#indent)
    for (const [at, { text, space }] of this.#words.entries()) {
      const next = at === 0 ? line + text : line + space + text
      if (at > 0 && next.length > width) this.#push(line)
      line = at > 0 && next.length > width ? ' '.repeat(this.#indent) + text : next
    }
    this.#push(line)
    this.#words = []
    this.#lead = undefined
    this.#isAfterSentence = false
  }

  #push(line: string, indent = 0): void {
    this.#lines.push((' '.repeat(indent) + line).trimEnd())
  }
}

/** `Fl m , \-model Ar MODEL` → `-m, --model MODEL` */
function phrase(source: string): string {
  let prefix = ''
  let text = ''
  for (const word of source.replace(/^Xr (\S+) (\d)/, '$1($2)').match(/"[^"]*"|\S+/g) ?? []) {
    if (word === ',') text += word
    else if (wordMacros[word] !== undefined) prefix = wordMacros[word]
    else if (/^([A-Z][a-z]|Br[coq]|%[A-Z])$/.test(word)) throw new Error(`unknown macro ${word}: ${source}`)
    else text += `${text && ' '}${prefix}${unescape(word.replace(/^"(.*)"$/, '$1'))}`
  }
  return text
}

/** Text as readers see it. @throws Error naming an escape that it does not know. */
export function unescape(text: string): string {
  return text.replaceAll(/\\(?:\[u([\dA-F]+)\]|(\(..|.?))/g, (_all, code: string | undefined, name: string) => {
    const character = code === undefined ? escapes[name] : String.fromCodePoint(Number.parseInt(code, 16))
    if (character === undefined) throw new Error(`unknown escape \\${name}: ${text}`)
    return character
  })
}

function expandTabs(line: string): string {
  return line.replaceAll(/([^\t]*)\t/g, (_all, cell: string) => cell.padEnd(Math.floor(cell.length / 8) * 8 + 8))
}

function columns(left: string, middle: string, right: string): string {
  const start = Math.ceil((width - middle.length) / 2)
  return (left.padEnd(start) + middle).padEnd(width - right.length) + right
}
