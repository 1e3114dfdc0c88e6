/** A Markdown answer on a terminal, against the same one in a pipe, where nothing is laid out. */

import { compare, type Entrant, type Figure, type Setting } from './figures.ts'
import { prints, type Program } from './measure.ts'
import { markdownModel, markdownText } from './replies.ts'

export function measureMarkdown(setting: Setting): Promise<Figure[]> {
  const command = [setting.node, setting.syn, 'chat', '-m', markdownModel, 'hi'] as const
  const base: Entrant = { id: 'markdown/pipe', label: 'syn chat, pipe', command, problem: prints(markdownText()) }
  const problem = hasLettersOf(markdownText())
  return compare(
    base,
    [{ ...base, id: 'markdown/terminal', label: 'syn chat, terminal', terminal: true, problem }],
    setting,
  )
}

/** Layout adds spaces, lines and styles, and drops the marks: all letters and digits are there, in order. */
function hasLettersOf(expected: string): Program['problem'] {
  return (output) => {
    const [actual, wanted] = [output.toString('utf8').replaceAll(styles, ''), expected].map(lettersOf) as [
      string,
      string,
    ]
    return actual === wanted
      ? undefined
      : `printed ${actual.length} letters and digits in place of ${wanted.length}, or others`
  }
}

const styles = /\u001B\[[\d;?]*[a-zA-Z]/g

function lettersOf(text: string): string {
  return text.replaceAll(/[^a-z\d]/gi, '')
}
