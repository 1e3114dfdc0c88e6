/** A conversation as an HTML page: what it shows, and that no text in it becomes markup. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeExport } from '../../src/conversation/export.ts'
import type { TranscriptLine } from '../../src/conversation/transcript.ts'
import { homeWithConversations, sessions } from '../helpers/conversations.ts'
import { anyMarkdown } from '../helpers/markdown.ts'
import { samples } from '../helpers/samples.ts'

async function page(...lines: TranscriptLine[]): Promise<string> {
  let html = ''
  const sink = { isTerminal: false, write: (text: string) => ((html += text), Promise.resolve()) }
  const format = { format: 'html', title: 'A <title>' } as const
  await writeExport({ lines, json: [] }, format, sink as never, new AbortController().signal)
  return html
}

/** The elements between the heading of an answer and the end of the page. */
async function answer(text: string): Promise<string> {
  const [, shown = ''] = (await page({ role: 'assistant', text })).split('<h2>Assistant</h2>\n')
  return shown.replace('</body>\n</html>\n', '')
}

const link = 'rel="noopener noreferrer nofollow"'

test.each([
  ['paragraphs', 'a *b*\nc\n\nd', '<p>a <em>b</em><br>\nc</p>\n<p>d</p>\n'],
  ['headings, below those of the roles', '# a\n\nb\n-\n', '<h3>a</h3>\n<h4>b</h4>\n'],
  ['marks', '**a** ~~b~~ `c<`', '<p><strong>a</strong> <del>b</del> <code>c&lt;</code></p>\n'],
  [
    'numbers, which may be skipped or repeated',
    '1. a\n1. b\n7. c',
    '<ol>\n<li value="1">\n<p>a</p>\n</li>\n<li value="2">\n<p>b</p>\n</li>\n<li value="7">\n<p>c</p>\n</li>\n</ol>\n',
  ],
  ['a task', '- [x] a', '<ul>\n<li class="done">\n<p>a</p>\n</li>\n</ul>\n'],
  ['code', '```js\na < b\n```', '<div class="label">js</div>\n<pre><code>a &lt; b\n</code></pre>\n'],
  [
    'HTML, as written',
    '<div onclick="x()">\na\n\nb',
    '<pre><code>&lt;div onclick=&quot;x()&quot;&gt;\na\n</code></pre>\n<p>b</p>\n',
  ],
  [
    'a table',
    '| a | b |\n|---|--:|\n| c<br>d | *e* |',
    '<table>\n<thead><tr><th>a</th><th class="right">b</th></tr></thead>\n<tbody>\n' +
      '<tr><td>c<br>d</td><td class="right"><em>e</em></td></tr>\n</tbody>\n</table>\n',
  ],
  ['a link', '[a](https://b.example/?c&"d")', `<p><a href="https://b.example/?c&amp;%22d%22" ${link}>a</a></p>\n`],
  ['a scheme in entities', '[a](&#106;avascript:b)', '<p>a (javascript:b)</p>\n'],
  [
    'a link whose text looks like another address',
    '[bank.com](https://b.example)',
    `<p><a href="https://b.example/" ${link}>bank.com</a> (b.example)</p>\n`,
  ],
  ['a formula', '$$a_b\n*c*_d$$', '<p>$$a_b<br>\n*c*_d$$</p>\n'],
  ['a paragraph that is too long', `*a* ${'x'.repeat(40_000)}`, `<p>*a* ${'x'.repeat(40_000)}</p>\n`],
])('%s', async (_what, text, expected) => {
  expect(await answer(text)).toBe(expected)
})

test('other roles are shown as written, with model, label and error', async () => {
  const html = await page(
    { role: 'user', text: '*a*\n  <b>', label: 'on another branch' },
    { role: 'assistant', text: '', model: 'hf:<x>', error: '<cut>' },
  )
  expect(html).toContain('<title>A &lt;title&gt;</title>')
  expect(html).toContain(
    '<h2>User <small>on another branch</small></h2>\n<div class="plain user">*a*\n  &lt;b&gt;</div>\n',
  )
  expect(html).toContain(
    '<h2>Assistant <small>hf:&lt;x&gt;</small></h2>\n<p class="label">Incomplete: &lt;cut&gt;</p>\n',
  )
})

test('syn sessions export, by the extension and by --format', async () => {
  const home = homeWithConversations({ id: '20261121-080000-bbbbbb', turns: [['First', 'One *two*']] })
  const file = join(home, 'a.html')
  expect(await sessions(home, ['export', 'last', '-o', file])).toMatchObject({ code: 0, out: '' })
  const html = readFileSync(file, 'utf8')
  expect(html).toContain('<p>One <em>two</em></p>')
  expect((await sessions(home, ['export', 'last', '--format', 'html'])).out).toBe(html)
})

const hostile = fc.constantFrom(
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '[a](https://b.c/"onclick="x)',
  '[a](data:text/html,x)',
  '&lt;script&gt;',
  '&#34;&gt;',
  '\n- [ ] ',
  '\n> ',
  '\n\n',
)
const anyText = fc.array(fc.oneof(anyMarkdown, hostile), { maxLength: 6 }).map((parts) => parts.join(''))

/** All that may stand between `<` and `>` in a page, with the elements that have an end. */
const tags =
  /^<(\/?)(?:p|h[3-6]|strong|em|del|code|pre|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|a|div|br|hr)(?: value="\d+"| class="(?:label|todo|done|right|center)"| href="(?:https?|mailto):[^"\s]*" rel="noopener noreferrer nofollow")?>$/i

test('whatever the text is, its markup is ours, and each element ends', async () => {
  const property = fc.asyncProperty(anyText, async (text) => {
    const html = await answer(text)
    const open: string[] = []
    for (const [tag] of html.matchAll(/<[^>]*>?/g)) {
      expect(tag).toMatch(tags)
      const [, end = '', name = ''] = /^<(\/?)(\w+)/.exec(tag) ?? []
      if (name === 'br' || name === 'hr') continue
      if (end === '') open.push(name)
      else expect(open.pop()).toBe(name)
    }
    expect(open).toEqual([])
  })
  await fc.assert(property, samples(300))
})
