/** Text as mdoc source: what is escaped so that it reaches the reader unchanged. See mdoc(7) and roff(7). */

/** Characters that a typesetter would make pretty: wrong in anything a reader copies. */
const literals: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  '"': '\\(dq',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
}

/** One line to be typed or copied as it stands. */
export function literal(line: string): string {
  return guardStart(escapeForeign(line.replaceAll(/[\\\-"'`^~]/g, (character) => literals[character] ?? character)))
}

/** Sentences, each on a line of its own as mdoc wants them. Flags in them stay fit to be copied. */
export function prose(text: string): string {
  return text
    .split(/\s+/)
    .map((word) => word.replaceAll('\\', '\\e'))
    .map((word) => (/^["'([]?-/.test(word) ? word.replaceAll('-', '\\-') : word))
    .join(' ')
    .split(/(?<=[\w)][.?!]) (?=[A-Z])/)
    .flatMap((sentence) => wrap(escapeForeign(sentence)).map(guardStart))
    .join('\n')
}

/** The help of an option or an argument, which has no period at its end. */
export function sentence(help: string): string {
  return prose(`${help}.`)
}

/** A macro's line, such as `.Fl m`. Its arguments are literal. */
export function macro(name: string, ...parts: readonly string[]): string {
  return ['.' + name, ...parts.map(argument)].join(' ')
}

/** An argument of a macro, which is neither taken for a macro itself nor for punctuation. */
export function argument(text: string): string {
  const escaped = literal(text)
  const guarded = /^(?:[A-Z%]\w{1,2}|[.,:;()[\]?!|])$/.test(text) ? `\\&${escaped}` : escaped
  return /^$|\s/.test(guarded) ? `"${guarded}"` : guarded
}

/** Paragraphs of plain text; one whose lines are all indented is shown as it stands. */
export function paragraphs(text: string): string[] {
  return text.split(/\n{2,}/).flatMap((paragraph, index) => {
    const separator = index === 0 ? [] : ['.Pp']
    return paragraph.split('\n').every((line) => line.startsWith('  '))
      ? display(paragraph.split('\n').map((line) => line.trimStart()))
      : [...separator, prose(paragraph.trim())]
  })
}

/** Lines shown as they stand, indented. */
export function display(lines: readonly string[]): string[] {
  return ['.Bd -literal -offset indent', ...lines.map(literal), '.Ed']
}

function wrap(sentence: string): string[] {
  return sentence.match(/\S(?:.{0,76}\S)?(?= |$)|\S+/g) ?? []
}

/** A line of text must not start like a request. */
function guardStart(line: string): string {
  return /^[.']/.test(line) ? `\\&${line}` : line
}

function escapeForeign(text: string): string {
  return text.replaceAll(/[^\n\x20-\x7e]/gu, (character) => {
    const number = character.codePointAt(0) ?? 0
    return `\\[u${number.toString(16).toUpperCase().padStart(4, '0')}]`
  })
}
