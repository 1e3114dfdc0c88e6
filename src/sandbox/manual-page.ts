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

/** Macros that only lay out; the rest of their line is no text. */
const silent = new Set(['Dd', 'Dt', 'Os', 'Bl', 'El', 'Bd', 'Ed', 'Pp', 'Bk', 'Ek', 'Sm', 'Rs', 'Re'])
const isMacro = /^(?:[A-Z][a-z]|Ql|Dq|Sq|Pq|Brq|Bq)$/

function plainLine(line: string): string | undefined {
  if (!line.startsWith('.') && !line.startsWith("'")) return plain(line)
  const words =
    line
      .slice(1)
      .trim()
      .match(/"[^"]*"|\S+/g) ?? []
  if (words.length === 0 || words[0]?.startsWith('\\"') || silent.has(words[0] ?? '')) return undefined
  let mark = ''
  const text: string[] = []
  for (const word of words) {
    if (isMacro.test(word)) mark = word === 'Fl' ? '-' : ''
    else {
      text.push(mark + plain(word.replace(/^"(.*)"$/, '$1')))
      mark = ''
    }
  }
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
