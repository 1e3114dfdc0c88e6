/** Manual pages written in mdoc, read as plain text. */

export interface Section {
  /** `syn-chat` */
  readonly page: string
  /** `OPTIONS` */
  readonly name: string
  readonly text: string
  /** The page's date as an ISO 8601 timestamp, where it has one. */
  readonly published: string | null
}

export function readPage(page: string, source: string): Section[] {
  const date = /^\.Dd (.+)$/m.exec(source)?.[1]
  const time = date === undefined ? Number.NaN : Date.parse(`${date} UTC`)
  const published = Number.isNaN(time) ? null : new Date(time).toISOString()
  return source
    .split(/^\.Sh /m)
    .slice(1)
    .map((part) => {
      const [heading = '', ...lines] = part.split('\n')
      const text = lines.map(plainLine).filter((line) => line !== undefined)
      return {
        page,
        name: plain(heading),
        text: text
          .join('\n')
          .replace(/\n{2,}/g, '\n')
          .trim(),
        published,
      }
    })
}

/** Comments, and macros that only lay out: the rest of their line is no text. */
const silent = /^.(?:$|\\"|(?:Dd|Dt|Os|Bl|El|Bd|Ed|Pp|Bk|Ek|Sm|Rs|Re)\b)/
const macro = /^(?:[A-Z][a-z]|Brq)$/

function plainLine(line: string): string | undefined {
  if (!/^[.']/.test(line)) return plain(line)
  if (silent.test(line)) return undefined
  const words = line.slice(1).match(/"[^"]*"|\S+/g) ?? []
  const text = words.flatMap((word, at) => {
    if (macro.test(word)) return []
    return (words[at - 1] === 'Fl' ? '-' : '') + plain(word.replace(/^"(.*)"$/, '$1'))
  })
  return text.join(' ').replace(/ ([.,;:)])(?= |$)/g, '$1')
}

/** Takes out the escapes of roff. */
function plain(text: string): string {
  return text
    .replace(/\\f(?:\[\w*\]|\(\w\w|.)/g, '')
    .replace(/\\(?:\(aq|\[aq\])/g, "'")
    .replace(/\\(?:\(dq|\[dq\])/g, '"')
    .replace(/\\(?:\(em|\[em\])/g, '—')
    .replace(/\\e/g, '\\')
    .replace(/\\[&|^%]/g, '')
    .replace(/\\([-~ .'])/g, (_, sign: string) => (sign === '~' ? ' ' : sign))
}
