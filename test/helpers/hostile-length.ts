/** Long texts without a break, and with nothing but marks: quadratic work on them takes minutes. */

/** A text of about this many characters. */
export type MakeText = (size: number) => string

export const longTexts: readonly (readonly [what: string, make: MakeText])[] = [
  ['a word', (size) => 'x'.repeat(size)],
  ['quotes', (size) => '“'.repeat(size)],
  ['accents', (size) => `e${'\u0301'.repeat(size)}`],
  ['one emoji', (size) => '👩\u200d'.repeat(size / 3)],
  ['Chinese', (size) => '中文'.repeat(size / 2)],
  ['words', (size) => 'word '.repeat(size / 5)],
  ['blanks', (size) => ' '.repeat(size)],
  ['stars', (size) => '*'.repeat(size)],
  ['emphasis', (size) => '*a*b'.repeat(size / 4)],
  ['brackets', (size) => '['.repeat(size)],
  ['links that never end', (size) => '[a](b'.repeat(size / 5)],
  ['images in images', (size) => '!['.repeat(size / 8) + '](b)'.repeat(size / 6)],
  ['backticks', (size) => '`a``b'.repeat(size / 5)],
  ['parentheses after an address', (size) => `http://a.b/${')'.repeat(size)}`],
  ['entities', (size) => '&amp;'.repeat(size / 5)],
  ['tags', (size) => '<a b="'.repeat(size / 6)],
  ['cells', (size) => '|a'.repeat(size / 2)],
]

/** Elements of Markdown, each of which different code renders, with a text in them. */
export const places: readonly (readonly [where: string, place: (text: string) => string])[] = [
  ['a paragraph', (text) => text],
  ['a heading', (text) => `# ${text}\n`],
  ['a list', (text) => `- ${text}\n`],
  ['quotes within quotes', (text) => `${'> '.repeat(50)}${text}`],
  ['a cell', (text) => `|a|b|\n|-|-|\n|${text}|c|\n`],
  ['a column', (text) => `|${text}|b|\n|-|-|\n|a|c|\n`],
  ['rows', (text) => `|a|b|\n|-|-|\n${text.replaceAll(/[^]{20}/gu, '|$&|\n')}`],
  ['code', (text) => `\`\`\`ts\n${text}\n\`\`\`\n`],
  ['lines of code', (text) => `\`\`\`ts\n${text.replaceAll(/[^]{50}/gu, '$&\n')}\n\`\`\`\n`],
  ['the text of a link', (text) => `[${text}](http://a.b)`],
  ['an address', (text) => `[a](http://a.b/${text})`],
  ['a definition', (text) => `[a]: http://a.b/${text}\n`],
  ['HTML', (text) => `<div>\n${text}\n`],
]
