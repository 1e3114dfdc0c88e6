/**
 * A conversation as one HTML file. Answers are laid out by the Markdown parser of the terminal. Whatever the text is, the page
 * runs no script and loads nothing: all of it is escaped, links lead to web and mail addresses only, and a policy in the page
 * forbids the rest.
 */

import { sanitizeForTerminal, sanitizeName } from '../io/text/safe-text.ts'
import { type Sink, writeText } from '../io/io.ts'
import { isSliceOver, yieldToEventLoop } from '../io/time/abort-signal.ts'
import { hostIfMisleading, linkAddress } from '../terminal/link-address.ts'
import { BlockReader, type BlockEvent } from '../terminal/markdown/block-reader.ts'
import type { Container, TableHead } from '../terminal/markdown/line-start.ts'
import { decoded, define, parseInlines, type InlinePiece, type LinkPiece } from '../terminal/markdown/inline.ts'
import { headingOf, type TranscriptLine } from './transcript.ts'

const style = `
:root { color-scheme: light dark }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h2 small, .label { font-weight: normal; font-size: 0.8rem; opacity: 0.7 }
.plain { white-space: pre-wrap }
.user { border-left: 0.25rem solid #2a7de1; padding-left: 1rem }
pre { overflow-x: auto; overflow-wrap: normal; padding: 0.75rem; background: #8881; border-radius: 0.25rem }
code { font-family: ui-monospace, monospace }
blockquote { margin-left: 0; border-left: 0.25rem solid #8886; padding-left: 1rem }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { border: 1px solid #8886; padding: 0.25rem 0.5rem; text-align: left }
.center { text-align: center }
.right { text-align: right }
li > p { margin: 0.25rem 0 }
.todo { list-style-type: "☐ " }
.done { list-style-type: "☑ " }
`

/** @throws the signal's reason if it aborts meanwhile. */
export async function writeHtml(
  title: string,
  transcript: readonly TranscriptLine[],
  sink: Sink,
  signal: AbortSignal,
): Promise<void> {
  const name = escaped(sanitizeName(title))
  await writeText(
    sink,
    '<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n' +
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">\n` +
      '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="referrer" content="no-referrer">\n' +
      `<title>${name}</title>\n<style>${style}</style>\n</head>\n<body>\n<h1>${name}</h1>\n`,
  )
  for (const { role, model, text, error, label } of transcript) {
    const details = [model, label].filter(Boolean).join(' · ')
    const small = details === '' ? '' : ` <small>${escaped(sanitizeName(details))}</small>`
    await writeText(sink, `<h2>${escaped(sanitizeName(headingOf(role)))}${small}</h2>\n`)
    const shown = sanitizeForTerminal(text.replace(/\n+$/, ''))
    if (role === 'assistant') await writeMarkdownAsHtml(shown, sink, signal)
    else if (shown !== '')
      await writeText(sink, `<div class="plain ${role === 'user' ? 'user' : ''}">${escaped(shown)}</div>\n`)
    if (error !== undefined) await writeText(sink, `<p class="label">Incomplete: ${escaped(sanitizeName(error))}</p>\n`)
  }
  await writeText(sink, '</body>\n</html>\n')
}

async function writeMarkdownAsHtml(text: string, sink: Sink, signal: AbortSignal): Promise<void> {
  const reader = new BlockReader()
  const printer = new HtmlPrinter()
  for (const line of text.split('\n')) {
    for (const event of reader.take(line) ?? []) printer.print(event)
    if (!isSliceOver()) continue
    await writeText(sink, printer.take())
    await yieldToEventLoop(signal)
  }
  for (const event of reader.close()) printer.print(event)
  await writeText(sink, printer.end())
}

/** In characters: to parse this takes up to 200 ms, while no signal is handled. A longer paragraph is shown as written. */
const longestInlines = 32_000

/** Turns the blocks of a Markdown text into HTML. */
class HtmlPrinter {
  readonly #definitions = new Map<string, string>()
  readonly #containers: Container[] = []
  #output = ''
  /** The last item of a list that has just ended, unless the next one follows. */
  #list: Extract<Container, { kind: 'item' }> | undefined
  /** The lines of a paragraph, which an underline may turn into a heading. */
  #paragraph: string[] = []
  #table: TableHead | undefined
  #isInLines = false

  /** What is complete. */
  take(): string {
    const output = this.#output
    this.#output = ''
    return output
  }

  end(): string {
    this.#endParagraph()
    this.#endList()
    return this.take()
  }

  print(event: BlockEvent): void {
    const isOfParagraph =
      event.kind === 'text' || event.kind === 'underline' || (event.kind === 'end' && event.block === 'paragraph')
    if (!isOfParagraph) this.#endParagraph()
    const opened = event.kind === 'open' ? event.container : undefined
    const isNextItem = opened?.kind === 'item' && this.#list?.delimiter === opened.delimiter
    if (event.kind !== 'blank' && !isNextItem) this.#endList()
    switch (event.kind) {
      case 'open':
        return this.#open(event.container)
      case 'close':
        return this.#close()
      case 'blank':
        return undefined
      case 'text':
        return void this.#paragraph.push(event.text)
      case 'underline':
        return this.#heading(event.depth, this.#takeParagraph())
      case 'heading':
        return this.#heading(event.depth, event.text)
      case 'rule':
        return this.#write('<hr>\n')
      case 'fence':
        return this.#write(`${event.info === '' ? '' : `<div class="label">${escaped(event.info)}</div>\n`}<pre><code>`)
      case 'code':
        return this.#write(`${escaped(event.text)}\n`)
      case 'indented':
      case 'html':
        if (!this.#isInLines) this.#write('<pre><code>')
        this.#isInLines = true
        return this.#write(`${escaped(event.text)}\n`)
      case 'definition':
        define(this.#definitions, event)
        return this.#write(`<p class="label">${escaped(event.text)}</p>\n`)
      case 'table':
        this.#table = event
        return this.#write(`<table>\n<thead>${this.#row('th', event.header)}</thead>\n<tbody>\n`)
      case 'row':
        return this.#write(`${this.#row('td', event.cells)}\n`)
      case 'end':
        if (event.block === 'table') this.#write('</tbody>\n</table>\n')
        else if (event.block === 'fence' || this.#isInLines) this.#write('</code></pre>\n')
        this.#isInLines = false
    }
  }

  #open(container: Container): void {
    this.#containers.push(container)
    if (container.kind === 'quote') return this.#write('<blockquote>\n')
    const { number, isDone } = container
    if (!this.#list) this.#write(number === undefined ? '<ul>\n' : '<ol>\n')
    this.#list = undefined
    const box = isDone === undefined ? '' : ` class="${isDone ? 'done' : 'todo'}"`
    return this.#write(`<li${number === undefined ? '' : ` value="${number}"`}${box}>\n`)
  }

  #close(): void {
    const container = this.#containers.pop()
    if (container?.kind === 'quote') return this.#write('</blockquote>\n')
    this.#list = container
    return this.#write('</li>\n')
  }

  #endList(): void {
    if (this.#list) this.#write(this.#list.number === undefined ? '</ul>\n' : '</ol>\n')
    this.#list = undefined
  }

  #endParagraph(): void {
    const text = this.#takeParagraph()
    if (text !== '') this.#write(`<p>${this.#inlines(text)}</p>\n`)
  }

  /** A line of the source is a line of the page, as on the terminal. */
  #takeParagraph(): string {
    const text = this.#paragraph.map((line) => line.trimEnd()).join('\n')
    this.#paragraph = []
    return text
  }

  /** Below the headings of the roles. */
  #heading(depth: number, text: string): void {
    const name = `h${Math.min(6, depth + 2)}`
    this.#write(`<${name}>${this.#inlines(text)}</${name}>\n`)
  }

  #row(cell: 'th' | 'td', cells: readonly string[]): string {
    const shown = cells.map((text, at) => {
      const alignment = this.#table?.alignments[at] ?? 'left'
      return `<${cell}${alignment === 'left' ? '' : ` class="${alignment}"`}>${this.#inlines(text)}</${cell}>`
    })
    return `<tr>${shown.join('')}</tr>`
  }

  #inlines(text: string): string {
    if (text.length > longestInlines) return escaped(text)
    return parseInlines(text, this.#definitions).map(inlineHtml).join('')
  }

  #write(html: string): void {
    this.#output += html
  }
}

function inlineHtml(piece: InlinePiece): string {
  switch (piece.kind) {
    case 'strong':
      return `<strong>${piece.children.map(inlineHtml).join('')}</strong>`
    case 'emphasis':
      return `<em>${piece.children.map(inlineHtml).join('')}</em>`
    case 'strike':
      return `<del>${piece.children.map(inlineHtml).join('')}</del>`
    case 'code':
      return `<code>${escaped(piece.text)}</code>`
    case 'link':
      return linkHtml(piece)
    case 'break':
      return '<br>'
    case 'verbatim':
      return escaped(piece.text).replaceAll('\n', '<br>\n')
    case 'text':
      return piece.text.split('\n').map(decoded).map(escaped).join('<br>\n')
  }
}

/** An image becomes a link, too: the page must not load it. */
function linkHtml({ href, children }: LinkPiece): string {
  const target = decoded(href)
  const address = linkAddress(target)
  const inner = children.map(inlineHtml).join('')
  const text = inner === '' ? escaped(target) : inner
  if (address === undefined) return target === '' || inner === '' ? text : `${text} (${escaped(target)})`
  const host = hostIfMisleading(plainText(children), address)
  const link = `<a href="${escaped(address)}" rel="noopener noreferrer nofollow">${text}</a>`
  return host === undefined ? link : `${link} (${escaped(host)})`
}

function plainText(pieces: readonly InlinePiece[]): string {
  return pieces
    .map((piece) => ('children' in piece ? plainText(piece.children) : piece.kind === 'break' ? ' ' : piece.text))
    .join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
