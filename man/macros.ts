/** Text as mdoc source: escapes what mdoc would interpret. See mdoc(7) and roff(7). */

/** Characters that roff would replace with typographic ones, which a shell does not understand. */
const literals: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  '"': '\\(dq',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
}

/** One line that readers type or copy. */
export function literal(line: string): string {
  return guardStart(escapeForeign(line.replaceAll(/[\\\-"'`^~]/g, (character) => literals[character] ?? character)))
}

/** Sentences, each on its own line as mdoc wants them. Flags are not hyphenated, so that they can be copied. */
export function prose(text: string): string {
  return text
    .split(/\s+/)
    .map((word) => word.replaceAll('\\', '\\e'))
    .map((word) => (/^["'([]?-/.test(word) ? `\\%${word.replaceAll('-', '\\-')}` : word))
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

/** An argument of a macro, escaped so that mdoc treats it as text. */
export function argument(text: string): string {
  const escaped = literal(text)
  const guarded = /^(?:[A-Z%]\w{1,2}|[.,:;()[\]?!|])$/.test(text) ? `\\&${escaped}` : escaped
  return /^$|\s/.test(guarded) ? `"${guarded}"` : guarded
}

/** Paragraphs of plain text. Lines indented by two spaces are shown unchanged, with the blank lines between them. */
export function paragraphs(text: string): string[] {
  const parts = text.split(/\n{2,}(?! {2})|(?<=^(?! {2}).*)\n{2,}/m)
  return parts.flatMap((part, index) => {
    const separator = index === 0 ? [] : ['.Pp']
    return part.startsWith('  ')
      ? display(part.split('\n').map((line) => line.slice(2)))
      : [...separator, prose(part.trim())]
  })
}

/** Lines shown unchanged, indented. */
export function display(lines: readonly string[]): string[] {
  return ['.Bd -literal -offset indent', ...lines.map(literal), '.Ed']
}

function wrap(sentence: string): string[] {
  return sentence.match(/\S(?:.{0,76}\S)?(?= |$)|\S+/g) ?? []
}

/** A line that starts with a dot or an apostrophe would be a roff request. */
function guardStart(line: string): string {
  return /^[.']/.test(line) ? `\\&${line}` : line
}

function escapeForeign(text: string): string {
  return text.replaceAll(/[^\n\x20-\x7e]/gu, (character) => {
    const number = character.codePointAt(0) ?? 0
    return `\\[u${number.toString(16).toUpperCase().padStart(4, '0')}]`
  })
}
