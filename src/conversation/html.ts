/**
 * A conversation as one HTML file. Answers are shown as written, but for their fenced code. Whatever the text is, the page runs no
 * script and loads nothing: all of it is escaped, and a policy in the page forbids the rest.
 */

import { sanitizeForTerminal, sanitizeName } from '../io/text/safe-text.ts'
import { type Sink, writeText } from '../io/io.ts'
import { yieldIfDue } from '../io/time/abort-signal.ts'
import { localTime } from '../io/time/time.ts'
import { headingOf, type TranscriptLine } from './transcript.ts'

const style = `
:root { color-scheme: light dark }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h2 small, .label { font-weight: normal; font-size: 0.8rem; opacity: 0.7 }
div { white-space: pre-wrap }
.user { border-left: 0.25rem solid #2a7de1; padding-left: 1rem }
pre { overflow-x: auto; overflow-wrap: normal; padding: 0.75rem; background: #8881; border-radius: 0.25rem }
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
  for (const { role, model, text, time, error, label } of transcript) {
    await yieldIfDue(signal)
    const details = [model, label].flatMap((one) => (one ? [escaped(sanitizeName(one))] : []))
    if (time) details.push(`<time datetime="${new Date(time).toISOString()}">${localTime(time)}</time>`)
    const small = details.length === 0 ? '' : ` <small>${details.join(' · ')}</small>`
    await writeText(sink, `<h2>${escaped(sanitizeName(headingOf(role)))}${small}</h2>\n`)
    const shown = sanitizeForTerminal(text.replace(/\n+$/, ''))
    const blocks = role === 'assistant' ? blocksOf(shown) : [block(role === 'user' ? 'div class="user"' : 'div', shown)]
    await writeText(sink, blocks.join(''))
    if (error !== undefined) await writeText(sink, `<p class="label">Incomplete: ${escaped(sanitizeName(error))}</p>\n`)
  }
  await writeText(sink, '</body>\n</html>\n')
}

/** Fenced code, and the text around it. */
function blocksOf(text: string): string[] {
  const blocks: string[] = []
  let lines: string[] = []
  let fence = ''
  const end = (): void => {
    blocks.push(block(fence === '' ? 'div' : 'pre', lines.join('\n')))
    lines = []
  }
  for (const line of text.split('\n')) {
    const [, marks = '', info = ''] = /^ {0,3}(`{3,}|~{3,})\s*(.*)$/.exec(line) ?? []
    const isEnd = fence !== '' && info === '' && marks.startsWith(fence)
    if (marks === '' || (fence !== '' && !isEnd)) lines.push(line)
    else {
      end()
      fence = isEnd ? '' : marks
    }
  }
  end()
  return blocks
}

/** @param tag With its attributes. */
function block(tag: string, text: string): string {
  const [name = ''] = tag.split(' ')
  return text.trim() === '' ? '' : `<${tag}>${escaped(text.replace(/^\n+|\n+$/g, ''))}</${name}>\n`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
