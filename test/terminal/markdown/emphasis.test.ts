/** Emphasis with stars, underscores and tildes, in prose, words, paths, formulas and names. */

import { expect, test } from 'vitest'
import { render } from '../../helpers/markdown.ts'

/** The line with HTML tags for bold, italic and strikethrough. */
async function emphasized(markdown: string): Promise<string> {
  const shown = await render(markdown, { columns: 200 })
  const tags: Record<string, string> = { 1: '<b>', 22: '</b>', 3: '<i>', 23: '</i>', 9: '<s>', 29: '</s>' }
  // oxlint-disable-next-line no-control-regex
  const tagged = shown.replaceAll(/\u001b\[(\d+)m/g, (_sequence, code: string) => tags[code] ?? '')
  // Joins neighboring tags of one kind.
  return tagged.trimEnd().replaceAll(/<\/([bis])><\1>/g, '')
}

test.each<[markdown: string, shown: string]>([
  // next to a slash
  ['**Yes**/**No**', '<b>Yes</b>/<b>No</b>'],
  ['**_Yes_**/**_No_**', '<b><i>Yes</i></b>/**<i>No</i>**'],
  ['**Yes.**/**No!**', '<b>Yes.</b>/<b>No!</b>'],
  ['**src/a** _/etc_ *a/b* ~~/c/~~', '<b>src/a</b> <i>/etc</i> <i>a/b</i> <s>/c/</s>'],
  // in paths
  ['**/build/** and **/dist/**', '<b>/build/</b> and <b>/dist/</b>'],
  ['a/_b_/c', 'a/<i>b</i>/c'],
  ['**src/**/*.ts** is it', '<b>src/**/*.ts</b> is it'],
  ['*a*.B and **a**.b', '<i>a</i>.B and <b>a</b>.b'],
  // within words
  ['**S**trengths', '<b>S</b>trengths'],
  ['**SHA**256 and **x** **2', '<b>SHA</b>256 and <b>x</b> **2'],
  ['中**文**字 a**文**b', '中<b>文</b>字 a<b>文</b>b'],
  // in programs and formulas
  ['**kwargs and x**2', '<b>kwargs and x</b>2'],
  ['*a*b*c*', '<i>a</i>b*c*'],
  // next to a period
  ['**bold**. *see the docs.* (*note*)', '<b>bold</b>. <i>see the docs.</i> (<i>note</i>)'],
  // of one tilde
  ['~gone~ (~so gone~). ~a~', '<s>gone</s> (<s>so gone</s>). <s>a</s>'],
  // in HTML
  ['a <b title="*c*"> *d* </b>', 'a <b title="*c*"> <i>d</i> </b>'],
  ['*a* <a href="x_y_z" title=\'_t_\'>*b*</a>', '<i>a</i> <a href="x_y_z" title=\'_t_\'><i>b</i></a>'],
  // in names
  ['__bold text__ and __Note__', '<b>bold text</b> and <b>Note</b>'],
  ['So.__note__ __Note__(s)', 'So.__note__ <b>Note</b>(s)'],
  // around brackets
  ['[a *b] c d*', '[a <i>b] c d</i>'],
  ['*a [b* c] d', '<i>a [b</i> c] d'],
  // next to URLs
  ['*see http://x.y/a*b or c* d', '<i>see http://x.y/a*b or c</i> d'],
  ['**http://x.y/a** and *www.x.y*', '<b>http://x.y/a</b> and <i>www.x.y</i>'],
])('marks in %s', async (markdown, shown) => {
  expect(await emphasized(markdown)).toBe(shown)
})

test.each([
  // next to a slash
  'C++/**.NET**',
  // in paths
  'src/**/*.ts and test/**/*.ts',
  '*Test.java, Test*.java',
  // within words
  'un**believ**able and un*believ*able',
  'snake_case_name and a__b__c',
  // in programs and formulas
  '2**10, 2**8',
  'x1*y1 + x2*y2, (x)**2 + (y)**2',
  'f(*args, **kwargs) and g(*args, **kwargs)',
  // in queries
  'COUNT(*) and COUNT(*), f[*] and g[*]',
  '.*foo.* and .*?bar.*',
  'the wildcard "*" or \'*\' and "**" or "**"',
  // of one tilde
  '~2000 lines and ~300 files (~5 MB), 0.3~8mm and 0.3~4.5mm',
  '~/bin and ~/lib, a~ and b~, ~$120B (~$55B)',
  'H~2~O, 喵呜~好呦~, 大约~一万和~两万',
  // in names
  '__init__.py and __main__.py',
])('no marks in %s', async (markdown) => {
  expect(await emphasized(markdown)).toBe(markdown)
})
