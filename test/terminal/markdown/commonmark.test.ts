/** The examples of CommonMark, one character at a time, against the text, the emphasis and the code of their HTML. */

import { createRequire } from 'node:module'
import { decodeHTMLStrict } from 'entities'
import { expect, test } from 'vitest'
import { MarkdownRenderer } from '../../../src/terminal/markdown/renderer.ts'
import type { Theme } from '../../../src/terminal/markdown/theme.ts'
import { unstyled, type Paint } from '../../../src/terminal/style.ts'
import { optionsOf, pushed } from '../../helpers/markdown.ts'

interface Example {
  readonly number: number
  readonly section: string
  readonly markdown: string
  readonly html: string
}

const { tests: examples } = createRequire(import.meta.url)('commonmark-spec') as { tests: readonly Example[] }

/** The examples that are shown otherwise, by the reason. */
const differences: readonly [reason: string, numbers: readonly number[]][] = [
  ['each line starts a new line, and ends emphasis and links', [81, 82, 394, 405, 423, 432, 510, 638, 639]],
  ['a backslash at the end of a line is text', [16, 634, 637]],
  ['a word that looks like a path or a pattern keeps its backslashes', [15]],
  ['stars between letters or digits open no emphasis: 2**8', [355, 356, 381, 411, 415, 416, 417, 429]],
  ['a name between double underscores is no emphasis: __init__', [389, 399, 402, 406, 425, 462]],
  ['formulas are no escaped parentheses: \\(a\\)', [12]],
  ['a fence ends HTML, as models leave out the blank line', [161]],
  ['the text of an image is shown as that of a link is, with its emphasis', [573, 576, 577, 585, 589]],
  ['what is printed cannot wait for a definition that follows', [214, 218]],
  [
    'the title of a definition is on the line of its URL: not worth its code, nobody defines so in an answer',
    [193, 195, 217],
  ],
  ['a label or title over several lines: not worth its code, nobody writes it', [196, 208, 541]],
  ['a link in brackets in an image, a no-break space in a URL, ẞ for SS: nobody writes it', [507, 520, 540]],
  ['the number of a character that does not exist is shown as a replacement character', [28]],
  ['the test takes a tag in an attribute for emphasis', [616]],
]

const different = new Set(differences.flatMap(([, numbers]) => numbers))

test.each([...new Set(examples.map(({ section }) => section))])('%s', async (name) => {
  for (const example of examples.filter(({ section, number }) => section === name && !different.has(number)))
    expect([example.number, await shown(example)]).toEqual([example.number, wanted(example)])
})

test.each(differences)('differs: %s', async (_reason, numbers) => {
  const still = await Promise.all(
    examples
      .filter(({ number }) => numbers.includes(number))
      .map(async (example) => ((await shown(example)) === wanted(example) ? [] : [example.number])),
  )
  expect(still.flat()).toEqual(numbers)
})

/** Characters that stand for the start and end of a style. */
const marks = { strong: '\ue000\ue001', em: '\ue002\ue003', code: '\ue004\ue005' }

function marked([start = '', end = '']: string): Paint {
  return (text) => `${start}${text}${end}` as typeof text
}

const hidden: Paint = (text) => text.slice(0, 0) as typeof text

function painted(paint: Paint, parts: readonly (keyof Theme)[]): Partial<Theme> {
  return Object.fromEntries(parts.map((part) => [part, paint]))
}

/** Tags that stand for Markdown, in HTML. In Markdown, they are shown as written. */
const tags = /<(\/?)(p|h[1-6]|blockquote|[ou]l|li|pre|hr|br|a|img|em|strong|code)(?=[\s/>])[^<>]*>/g

async function shown({ markdown }: Example): Promise<string> {
  const options = await optionsOf({ columns: 1000 })
  const theme = {
    ...options.theme,
    ...painted(unstyled, ['title', 'heading', 'subheading', 'minorHeading', 'codeBlock', 'link']),
    // What HTML has in attributes, or not at all. A target may be a definition, which is shown as written.
    ...painted(hidden, ['label', 'bar', 'bullet', 'rule', 'target']),
    strong: marked(marks.strong),
    emphasis: marked(marks.em),
    code: marked(marks.code),
    syntax: () => undefined,
  }
  const renderer = new MarkdownRenderer({ ...options, theme })
  let text = ''
  for (const character of definedFirst(markdown.replaceAll('→', '\t'))) text += await pushed(renderer, character)
  return comparable((text + renderer.end()).replaceAll(tags, ''))
}

/** Moves definitions at the end to the start: text that is printed while it arrives knows only those before it. */
function definedFirst(markdown: string): string {
  return markdown.replace(/^([^]*?)\n((?:\[(?:\\.|[^[\]\\\n])+\]: .+\n)+)$/, '$2\n$1\n')
}

function wanted({ html }: Example): string {
  let isInBlock = false
  const text = html.replaceAll('→', '\t').replaceAll(tags, (tag, slash, name: string) => {
    if (name === 'img') return /alt="([^"]*)"/.exec(tag)?.[1] ?? ''
    if (name === 'pre') isInBlock = slash === ''
    if (name === 'code' && isInBlock) return ''
    return name in marks ? marks[name as keyof typeof marks].charAt(slash === '' ? 0 : 1) : ''
  })
  return comparable(decodeHTMLStrict(text).replaceAll(tags, ''))
}

/** The text without spaces, with the styles of each part, as in `*{strong}`. */
function comparable(text: string): string {
  const open = [0, 0, 0]
  let [parts, before] = ['', '']
  for (const character of text.replaceAll(/\s/g, '')) {
    const mark = character.charCodeAt(0) - 0xe000
    if (mark >= 0 && mark < 6) {
      open[mark >> 1] = (open[mark >> 1] ?? 0) + (mark % 2 === 0 ? 1 : -1)
      continue
    }
    const style = ['*', '/', '`'].filter((_, at) => (open[at] ?? 0) > 0).join('')
    if (style !== before) parts += (before === '' ? '' : '}') + (style === '' ? '' : `${style}{`)
    parts += character
    before = style
  }
  return parts + (before === '' ? '' : '}')
}
