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
  const [, shown = ''] = (await page({ role: 'assistant', text, time: NaN })).split('<h2>Assistant</h2>\n')
  return shown.replace('</body>\n</html>\n', '')
}

test.each([
  ['text as written', 'a *b*\n  c\n\n# d\n', '<div>a *b*\n  c\n\n# d</div>\n'],
  ['code', 'a\n```js\na < b\n\n~~~\n```\nc', '<div>a</div>\n<pre>a &lt; b\n\n~~~</pre>\n<div>c</div>\n'],
  ['code in code', '````md\n```\na\n```\n````', '<pre>```\na\n```</pre>\n'],
  ['code without an end', '```\na', '<pre>a</pre>\n'],
  ['HTML', '<b onclick="x()">', '<div>&lt;b onclick=&quot;x()&quot;&gt;</div>\n'],
])('%s', async (_what, text, expected) => {
  expect(await answer(text)).toBe(expected)
})

test('other roles are shown as written, with model, label and error', async () => {
  const html = await page(
    { role: 'user', text: '*a*\n  <b>', time: NaN, label: 'on another branch' },
    { role: 'assistant', text: '', time: NaN, model: 'hf:<x>', error: '<cut>' },
  )
  expect(html).toContain('<title>A &lt;title&gt;</title>')
  expect(html).toContain('<h2>User <small>on another branch</small></h2>\n<div class="user">*a*\n  &lt;b&gt;</div>\n')
  expect(html).toContain(
    '<h2>Assistant <small>hf:&lt;x&gt;</small></h2>\n<p class="label">Incomplete: &lt;cut&gt;</p>\n',
  )
})

test('syn sessions export, by the extension and by --format', async () => {
  const home = homeWithConversations({ id: '20261121-080000-bbbbbb', turns: [['First', 'One *two*']] })
  const file = join(home, 'a.html')
  expect(await sessions(home, ['export', 'last', '-o', file])).toMatchObject({ code: 0, out: '' })
  const html = readFileSync(file, 'utf8')
  expect(html).toContain('<div>One *two*</div>')
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
const tags = /^<\/?(?:div|pre)>$/

test('whatever the text is, its markup is ours, and each element ends', async () => {
  const property = fc.asyncProperty(anyText, async (text) => {
    const html = await answer(text)
    const open: string[] = []
    for (const [tag] of html.matchAll(/<[^>]*>?/g)) {
      expect(tag).toMatch(tags)
      const [, end = '', name = ''] = /^<(\/?)(\w+)/.exec(tag) ?? []
      if (end === '') open.push(name)
      else expect(open.pop()).toBe(name)
    }
    expect(open).toEqual([])
  })
  await fc.assert(property, samples(300))
})
