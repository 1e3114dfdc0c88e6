/** Inlines: emphasis, code, links, entities. */

import { describe, expect, test } from 'vitest'
import { lines, render } from '../../helpers/markdown.ts'

describe('text', () => {
  test.each<[title: string, markdown: string, shown: string]>([
    ['emphasis', 'a *b* _c_ **d** __e f__ ***g*** ~~h~~', 'a b c d e f g h'],
    ['Chinese without spaces', '中文**强调**中文*b*中', '中文强调中文b中'],
    ['escapes', String.raw`\*a\* \[b] \(c \{d\} \\ \e`, String.raw`*a* [b] (c {d} \ \e`],
    ['code with backticks', '``a ` b``', 'a ` b'],
    ['entities', '&lt;&amp;&copy;&#65;&#x42;&nosuch; &lt', '<&©AB&nosuch; &lt'],
    ['entities for control characters', '&#27;[2J&#x9b;&#8238;&#7;', '␛[2J›�␇'],
    ['a reference that is defined later', '[a][b]\n\n[b]: http://c.d', '[a][b]'],
  ])('%s', async (_title, markdown, shown) => {
    expect((await lines(markdown))[0]).toBe(shown)
  })

  test.each<[title: string, markdown: string, shown: string[]]>([
    ['code', 'a `b\\*\n*c*\n d` *e*', ['a b\\*', '*c*', 'd e']],
    ['no code without an end', 'a `b\\*\n*c* `` d\n*e*\n\n`', ['a `b*', 'c `` d', 'e', '', '`']],
    ['no code up to another block', 'a `*b*\n- c` *d*\n> e `f\n\ng`', ['a `b', '• c` d', '│ e `f', '', 'g`']],
    ['no code into a formula', 'a `b\n$$\n- x_1\n$$\nc', ['a `b', '$$', '- x_1', '$$', 'c']],
    ['no emphasis around the end of a line in vain', '*a `b\nc* d', ['*a `b', 'c* d']],
  ])('over the end of a line: %s', async (_title, markdown, shown) => {
    expect(await lines(markdown)).toEqual(shown)
    expect(await render(markdown.split(''))).toBe(await render(markdown))
  })

  test('a reference that is already defined is a link', async () => {
    expect(await lines('[a b]: <http://c.d>\n\n[e][A  B] [a b] [a b][]')).toEqual([
      '[a b]: <http://c.d>',
      '',
      'e (http://c.d) a b (http://c.d) a b (http://c.d)',
    ])
    expect(await lines('[a]:\n  http://c.d\n\n[a]')).toEqual(['[a]:', 'http://c.d', '', 'a (http://c.d)'])
  })
})

describe('links', () => {
  const link = (url: string, text: string): string => `\u001b]8;;${url}\u001b\\${text}\u001b]8;;\u001b\\`

  test.each<[title: string, markdown: string, without: string, withLinks: string]>([
    ['with a text', '[a](http://b.c/d)', 'a (http://b.c/d)', link('http://b.c/d', 'a')],
    ['an email address', 'to a_b@c.de.', 'to a_b@c.de.', `to ${link('mailto:a_b@c.de', 'a_b@c.de')}.`],
    [
      'in the text of another link',
      '[http://b.c](http://d.e)',
      'http://b.c (http://d.e)',
      `${link('http://d.e/', 'http://b.c')} ${link('http://d.e/', '(d.e)')}`,
    ],
    ['with parentheses', '[a](http://b.c/\\)(d)e)', 'a (http://b.c/)(d)e)', link('http://b.c/)(d)e', 'a')],
    ['to an image', '![a](http://b.c/d.png)', 'a (http://b.c/d.png)', link('http://b.c/d.png', 'a')],
    ['with entities', '[a](http://b.c/?d&amp;e)', 'a (http://b.c/?d&e)', link('http://b.c/?d&e', 'a')],
    [
      'that would end the escape sequence',
      '[a](http://b.c/&#27;&#7;d)',
      'a (http://b.c/␛␇d)',
      link('http://b.c/%E2%90%9B%E2%90%87d', 'a'),
    ],
  ])('%s', async (_title, markdown, without, withLinks) => {
    expect(await lines(markdown)).toEqual([without])
    // oxlint-disable-next-line no-control-regex
    const written = (await render(markdown, { hasLinks: true })).replaceAll(/\u001b\[[\d;]*m/g, '')
    expect(written).toBe(`${withLinks}\n`)
  })

  const evil = 'https://evil.example/login'
  const host = ' (evil.example)'

  test.each<[title: string, markdown: string, shown: string]>([
    ['a URL', `[https://bank.com/login](${evil})`, `https://bank.com/login${host}`],
    ['a host', `[bank.com](${evil})`, `bank.com${host}`],
    ['code', `[\`bank.com\`](${evil})`, `bank.com${host}`],
    ['an entity', `[bank&period;com](${evil})`, `bank.com${host}`],
    ['Cyrillic letters', `[bаnk.com](${evil})`, `bаnk.com${host}`],
    ['the host as a path', `[bank.com/evil.example](${evil})`, `bank.com/evil.example${host}`],
    [
      'a user name',
      '[https://bank.com@evil.example/](https://bank.com@evil.example/)',
      `https://bank.com@evil.example/${host}`,
    ],
    ['a mail address', `[me@bank.com](${evil})`, `me@bank.com${host}`],
    ['an image in a link', `[![bank.com](https://a.example/b.png)](${evil})`, 'bank.com (a.example)'],
    ['a reference', `[a]: ${evil}\n\n[bank.com][a]`, `bank.com${host}`],
    ['a host before the link', `bank.com/[login](${evil})`, `bank.com/login${host}`],
    ['the same host', `[evil.example](${evil})`, 'evil.example'],
    ['a number', `[version 1.2.3, e.g. 4.5](${evil})`, 'version 1.2.3, e.g. 4.5'],
    ['words', `[Sign in](${evil}), bank.com`, 'Sign in, bank.com'],
  ])('a link says where it leads if its text looks like another address: %s', async (_title, markdown, shown) => {
    const written = await lines(markdown, { hasLinks: true })
    expect(written.at(-1)).toBe(shown)
    // Without hyperlinks, the address itself is there.
    if (shown.endsWith(host)) expect((await lines(markdown)).at(-1)).toContain('evil.example')
  })

  test('over two lines is a link on each', async () => {
    const written = await render('[aaaa bbbb](http://c.d/)', { hasLinks: true, columns: 6 })
    // oxlint-disable-next-line no-control-regex
    expect(written.replaceAll(/\u001b\[[\d;]*m/g, '')).toBe(
      `${link('http://c.d/', 'aaaa')}\n${link('http://c.d/', 'bbbb')}\n`,
    )
  })
})
