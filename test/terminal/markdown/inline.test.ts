/** Inlines: emphasis, code, links, entities. */

import { describe, expect, test } from 'vitest'
import { lines, render } from '../../helpers/markdown.ts'

describe('text', () => {
  test.each<[title: string, markdown: string, shown: string]>([
    ['emphasis', 'a *b* _c_ **d** __e f__ ***g*** ~~h~~', 'a b c d e f g h'],
    ['a period after emphasis', '*a*. **b**.c *d*.', 'a. b.c d.'],
    ['Chinese without spaces', '中文**强调**中文*b*中', '中文强调中文b中'],
    ['quoted in Japanese', '**「強調」**です。これは**「重要」**です', '「強調」です。これは「重要」です'],
    ['quoted in Chinese', '他说**“你好”**，**Python (x)**是**注：**a', '他说“你好”，Python (x)是注：a'],
    ['emphasis in emphasis', '**a *b **c** d* e** *f **g***', 'a b c d e f g'],
    ['unclosed marks', 'a *b **c `d [e ~~f', 'a *b **c `d [e ~~f'],
    ['marks that the next line closes', 'a *b\nc* d', 'a *b'],
    ['stars between spaces', '2 * 3 * 4', '2 * 3 * 4'],
    ['escapes', String.raw`\*a\* \[b] \(c \{d\} \\ \e`, String.raw`*a* [b] (c {d} \ \e`],
    ['code', 'a `b *c* \\` d', 'a b *c* \\ d'],
    ['code with backslashes', '`a\\*b\\` \\`c`', 'a\\*b\\ `c`'],
    ['code with backticks', '``a ` b``', 'a ` b'],
    ['entities', '&lt;&amp;&copy;&#65;&#x42;&nosuch; &lt', '<&©AB&nosuch; &lt'],
    ['entities in code are kept', '`&lt;`', '&lt;'],
    ['entities for control characters', '&#27;[2J&#x9b;&#8238;&#7;', '␛[2J›�␇'],
    ['emphasis in a link', '[a *b* `c`](http://d.e)', 'a b c (http://d.e)'],
    ['a reference that is defined later', '[a][b]\n\n[b]: http://c.d', '[a][b]'],
    ['an undefined reference', '[a][b] [c] ![d]', '[a][b] [c] ![d]'],
    ['a footnote', 'a[^1]', 'a[^1]'],
  ])('%s', async (_title, markdown, shown) => {
    expect((await lines(markdown))[0]).toBe(shown)
  })

  test.each<[title: string, markdown: string, shown: string[]]>([
    ['code', 'a `b\\*\n*c*\n d` *e*', ['a b\\*', '*c*', 'd e']],
    ['code in emphasis', '**a `b\nc` d** e', ['a b', 'c d e']],
    ['code with one space on each side', '`` a`\nb\n`` c', ['a`', 'b c']],
    ['code that ends a line', 'a `b\nc`\n*d*', ['a b', 'c', 'd']],
    ['a tag', 'a <b c="*d*"\n  e="f_g_h"> *i*', ['a <b c="*d*"', 'e="f_g_h"> i']],
    ['no code without an end', 'a `b\\*\n*c* `` d\n*e*\n\n`', ['a `b*', 'c `` d', 'e', '', '`']],
    ['no code up to another block', 'a `*b*\n- c` *d*\n> e `f\n\ng`', ['a `b', '• c` d', '│ e `f', '', 'g`']],
    ['no tag without an end', 'a <b *c*\n*d* <e\n*f*', ['a <b c', 'd <e', 'f']],
    ['no code into a formula', 'a `b\n$$\n- x_1\n$$\nc', ['a `b', '$$', '- x_1', '$$', 'c']],
    ['no code in a heading', 'a `b\n===\nc`', ['a `b', '═'.repeat(80), '', 'c`']],
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
    ['with a title', '[a](http://b.c/ "d")', 'a (http://b.c/)', link('http://b.c/', 'a')],
    [
      'alone',
      'see https://b.c/d_e_f.',
      'see https://b.c/d_e_f.',
      `see ${link('https://b.c/d_e_f', 'https://b.c/d_e_f')}.`,
    ],
    [
      'in parentheses',
      '(http://b.c/d_(e)).',
      '(http://b.c/d_(e)).',
      `(${link('http://b.c/d_(e)', 'http://b.c/d_(e)')}).`,
    ],
    ['an email address', 'to a_b@c.de.', 'to a_b@c.de.', `to ${link('mailto:a_b@c.de', 'a_b@c.de')}.`],
    ['without a scheme', 'www.b.c, d', 'www.b.c, d', `${link('http://www.b.c/', 'www.b.c')}, d`],
    ['emphasized', '**http://b.c/**', 'http://b.c/', link('http://b.c/', 'http://b.c/')],
    ['before Chinese', 'http://b.c/，中', 'http://b.c/，中', `${link('http://b.c/', 'http://b.c/')}，中`],
    [
      'in the text of another link',
      '[http://b.c](http://d.e)',
      'http://b.c (http://d.e)',
      `${link('http://d.e/', 'http://b.c')} ${link('http://d.e/', '(d.e)')}`,
    ],
    ['nested', '[a [b](http://c.d)](e)', '[a b (http://c.d)](e)', `[a ${link('http://c.d/', 'b')}](e)`],
    ['with parentheses', '[a](http://b.c/\\)(d)e)', 'a (http://b.c/)(d)e)', link('http://b.c/)(d)e', 'a')],
    ['with spaces', '[a](<b c> "d")', 'a (b c)', 'a (b c)'],
    [
      'with Chinese in angle brackets',
      '<http://b.c/中文*d>*e*',
      'http://b.c/中文*de',
      `${link('http://b.c/%E4%B8%AD%E6%96%87*d', 'http://b.c/中文*d')}e`,
    ],
    ['whose text is the URL', '[http://b.c/](http://b.c/)', 'http://b.c/', link('http://b.c/', 'http://b.c/')],
    ['an email address in angle brackets', '<a@b.cd>', 'a@b.cd', link('mailto:a@b.cd', 'a@b.cd')],
    ['to an image', '![a](http://b.c/d.png)', 'a (http://b.c/d.png)', link('http://b.c/d.png', 'a')],
    ['to an image without text', '![](http://b.c/)', 'http://b.c/', link('http://b.c/', 'http://b.c/')],
    ['to nowhere', '[a]()', 'a', 'a'],
    ['to a file', '[a](b/c.md)', 'a (b/c.md)', 'a (b/c.md)'],
    ['to a script', '[a](javascript:alert(1))', 'a (javascript:alert(1))', 'a (javascript:alert(1))'],
    ['to a local file', '[a](file:///etc/passwd)', 'a (file:///etc/passwd)', 'a (file:///etc/passwd)'],
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
    ['a host and a path', `[www.bank.com/login](${evil})`, `www.bank.com/login${host}`],
    ['capital letters', `[HTTPS://Bank.COM](${evil})`, `HTTPS://Bank.COM${host}`],
    ['emphasis inside', `[sign in at **bank**.*com*](${evil})`, `sign in at bank.com${host}`],
    ['code', `[\`bank.com\`](${evil})`, `bank.com${host}`],
    ['an entity', `[bank&period;com](${evil})`, `bank.com${host}`],
    ['an escape', `[bank\\.com](${evil})`, `bank.com${host}`],
    ['wide letters', `[ｂａｎｋ．ｃｏｍ](${evil})`, `ｂａｎｋ．ｃｏｍ${host}`],
    ['another dot', `[bank。com](${evil})`, `bank。com${host}`],
    ['a character that looks like a dot', `[bank\u2024com](${evil})`, `bank\u2024com${host}`],
    ['a character without width', `[bank\u200b.com](${evil})`, `bank\u200b.com${host}`],
    ['Cyrillic letters', `[bаnk.com](${evil})`, `bаnk.com${host}`],
    ['the same Cyrillic letters', '[bаnk.com](https://bаnk.com)', 'bаnk.com (xn--bnk-6cd.com)'],
    ['an IPv4 address', `[10.0.0.1](${evil})`, `10.0.0.1${host}`],
    ['an IPv6 address', `[https://[::1]:80/](${evil})`, `https://[::1]:80/${host}`],
    ['a host without a dot', `[http://intranet/](${evil})`, `http://intranet/${host}`],
    ['both hosts', `[evil.example bank.com](${evil})`, `evil.example bank.com${host}`],
    ['the host as a path', `[bank.com/evil.example](${evil})`, `bank.com/evil.example${host}`],
    [
      'a user name',
      '[https://bank.com@evil.example/](https://bank.com@evil.example/)',
      `https://bank.com@evil.example/${host}`,
    ],
    ['a user name, alone', 'https://bank.com@evil.example/', `https://bank.com@evil.example/${host}`],
    ['a user name, in angle brackets', '<https://bank.com:x@evil.example/>', `https://bank.com:x@evil.example/${host}`],
    ['a port', '[bank.com:8443](https://evil.example:8443/)', 'bank.com:8443 (evil.example:8443)'],
    ['a mail address', `[me@bank.com](${evil})`, `me@bank.com${host}`],
    ['another mail address', '[me@bank.com](mailto:you@evil.example)', 'me@bank.com (you@evil.example)'],
    ['an image in a link', `[![bank.com](https://a.example/b.png)](${evil})`, 'bank.com (a.example)'],
    ['a reference', `[a]: ${evil}\n\n[bank.com][a]`, `bank.com${host}`],
    ['text before the link', `bank[.com](${evil})`, `bank.com${host}`],
    ['text after the link', `[https://bank](${evil}).com`, `https://bank${host}.com`],
    ['a host before the link', `bank.com/[login](${evil})`, `bank.com/login${host}`],
    ['a name of a file', `[README.md](${evil})`, `README.md${host}`],
    ['the same host', `[evil.example](${evil})`, 'evil.example'],
    ['the same host with www.', `[www.evil.example/a](${evil})`, 'www.evil.example/a'],
    ['the same mail address', '[john.doe@evil.example](mailto:john.doe@evil.example)', 'john.doe@evil.example'],
    ['another path', '[https://evil.example/a.html](https://evil.example/b.html?c.de)', 'https://evil.example/a.html'],
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
