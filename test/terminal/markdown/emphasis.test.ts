/** Emphasis with stars, underscores and tildes, in prose, words, paths, formulas and names. */

import { describe, expect, test } from 'vitest'
import { lines, render } from '../../helpers/markdown.ts'

/** The line with HTML tags for bold, italic and strikethrough. */
async function emphasized(markdown: string): Promise<string> {
  const shown = await render(markdown, { columns: 200 })
  const tags: Record<string, string> = { 1: '<b>', 22: '</b>', 3: '<i>', 23: '</i>', 9: '<s>', 29: '</s>' }
  // oxlint-disable-next-line no-control-regex
  const tagged = shown.replaceAll(/\u001b\[(\d+)m/g, (_sequence, code: string) => tags[code] ?? '')
  // Joins neighboring tags of one kind.
  return tagged.trimEnd().replaceAll(/<\/([bis])><\1>/g, '')
}

const cases: [title: string, rows: [markdown: string, shown?: string][]][] = [
  [
    'next to a slash',
    [
      ['**Yes**/**No**', '<b>Yes</b>/<b>No</b>'],
      ['*he*/*she*/*they*', '<i>he</i>/<i>she</i>/<i>they</i>'],
      ['__Yes__/__No__', '<b>Yes</b>/<b>No</b>'],
      ['~~a~~/~~b~~', '<s>a</s>/<s>b</s>'],
      ['Windows/**Linux**/macOS', 'Windows/<b>Linux</b>/macOS'],
      ['***a***/***b***', '<i><b>a</b></i>/<i><b>b</b></i>'],
      ['**_Yes_**/**_No_**', '<b><i>Yes</i></b>/**<i>No</i>**'],
      ['C++/**.NET**'],
      ['**Yes.**/**No!**', '<b>Yes.</b>/<b>No!</b>'],
      ['**src/** and **lib/**', '<b>src/</b> and <b>lib/</b>'],
      ['**src/a** _/etc_ *a/b* ~~/c/~~', '<b>src/a</b> <i>/etc</i> <i>a/b</i> <s>/c/</s>'],
      ['**a/**b**/c**', '<b>a/b/c</b>'],
    ],
  ],
  [
    'in paths',
    [
      ['src/**/*.ts and test/**/*.ts'],
      ['*.ts and *.js files'],
      ['**/build/** and **/dist/**', '<b>/build/</b> and <b>/dist/</b>'],
      ['*/a/* b* c*'],
      ['src/* and lib/*'],
      ['src/*_test.go and lib/*_test.go'],
      ['a-*/b and c-*/d'],
      ['*/5 * * * *'],
      ['/* a comment */'],
      ['src/_d and lib/_e'],
      ['a/_b_/c', 'a/<i>b</i>/c'],
      ['rm *.o and *~'],
      ['**src/**/*.ts** is it', '<b>src/**/*.ts</b> is it'],
      ['**/*.ts and **/*.{js,mjs}'],
      ['"**/*.ts", "src/**"'],
      ['*.log and tmp/*.log, docs/*.md'],
      ['(*.gz), [*.ts,*.js] and *.*, *.tar.*'],
      ['*-test.py or test-*.py'],
      ['*Test.java, Test*.java'],
      ['*a*.B and **a**.b', '<i>a</i>.B and <b>a</b>.b'],
      ['<kbd>*</kbd> or <kbd>*</kbd>'],
      ['(n-1)*(n-2)*(n-3)'],
      ['**Note: 2**8', '**Note: 2**8'],
      ['*Note: src/*.ts and *.log* b', '<i>Note: src/*.ts and *.log</i> b'],
      ['**a/b/***', '<b>a/b/</b>*'],
    ],
  ],
  [
    'within words',
    [
      ['**S**trengths', '<b>S</b>trengths'],
      ['**H**yper**T**ext **M**arkup', '<b>H</b>yper**T**ext <b>M</b>arkup'],
      ['*n*th', '<i>n</i>th'],
      ['*two words*s', '<i>two words</i>s'],
      ['re*mark*able'],
      ['un**believ**able and un*believ*able'],
      ['**The F*ck**', '<b>The F*ck</b>'],
      ['**1**st', '<b>1</b>st'],
      ['**SHA**256 and **x** **2', '<b>SHA</b>256 and <b>x</b> **2'],
      ['caf**é**s', 'caf<b>é</b>s'],
      ['**a *b*c**', '<b>a <i>b</i>c</b>'],
      ['**a**b**c**', '<b>a</b>b**c**'],
      ['***a**b*', '<i><b>a</b>b</i>'],
      ['~~S~~trengths', '<s>S</s>trengths'],
      ['中**文**字 a**文**b', '中<b>文</b>字 a<b>文</b>b'],
      ['snake_case_name and a__b__c'],
    ],
  ],
  [
    'in programs and formulas',
    [
      ['2**10, 2**8'],
      ['5*4=20 and 3*2=6'],
      ['a*b*c and d*e*f'],
      ['n**2 + n**3'],
      ['**kwargs and x**2', '<b>kwargs and x</b>2'],
      ['(2*m + 1)(2*n + 1)'],
      ['x1*y1 + x2*y2, (x)**2 + (y)**2'],
      ['f(*args, **kwargs) and g(*args, **kwargs)'],
      ['char *p, *q; int **r'],
      ['**2*3 is 6**', '<b>2*3 is 6</b>'],
      ['*a*b*c*', '<i>a</i>b*c*'],
    ],
  ],
  [
    'in queries, patterns and lists of imports',
    [
      ['COUNT(*) and COUNT(*), f[*] and g[*]'],
      ['*a COUNT(*) b*', '<i>a COUNT(*) b</i>'],
      ['the wildcard "*" or \'*\' and "**" or "**"'],
      ['SELECT t.*, u.* FROM t, u'],
      ['java.util.*; and java.io.*;'],
      ['.*foo.* and .*?bar.*'],
      ['*:* and *, *'],
    ],
  ],
  [
    'next to a period',
    [
      ['**bold**. *see the docs.* (*note*)', '<b>bold</b>. <i>see the docs.</i> (<i>note</i>)'],
      ['**Do this.** Then *e.g.* that', '<b>Do this.</b> Then <i>e.g.</i> that'],
      ['**v1.2**, **src/a.ts**, **./run.sh**', '<b>v1.2</b>, <b>src/a.ts</b>, <b>./run.sh</b>'],
      ['**.env** and **/etc/hosts**', '<b>.env</b> and <b>/etc/hosts</b>'],
      ['**Node**.js, *...and so on...*', '<b>Node</b>.js, <i>...and so on...</i>'],
      ['Well...*shrugs* 1.**One**', 'Well...<i>shrugs</i> 1.<b>One</b>'],
    ],
  ],
  [
    'of one tilde',
    [
      ['~gone~ (~so gone~). ~a~', '<s>gone</s> (<s>so gone</s>). <s>a</s>'],
      ['~**a** b~ ~`c` d~', '<s><b>a</b> b</s> <s>c d</s>'],
      ['~2000 lines and ~300 files (~5 MB), 0.3~8mm and 0.3~4.5mm'],
      ['~/bin and ~/lib, a~ and b~, ~$120B (~$55B)'],
      ['H~2~O, 喵呜~好呦~, 大约~一万和~两万'],
      ['(~) and (~), ~a~~'],
    ],
  ],
  [
    'in HTML',
    [
      ['a <b title="*c*"> *d* </b>', 'a <b title="*c*"> <i>d</i> </b>'],
      ['*a* <a href="x_y_z" title=\'_t_\'>*b*</a>', '<i>a</i> <a href="x_y_z" title=\'_t_\'><i>b</i></a>'],
      ['if a <b and *c*, d', 'if a <b and <i>c</i>, d'],
      ['a <!-- *b* --> *c*', 'a <!-- *b* --> <i>c</i>'],
    ],
  ],
  [
    'in names',
    [
      ['__init__.py and __main__.py'],
      ['src/__init__.py, ./__main__, __tests__/__snapshots__/a.snap'],
      ['__init__(self) and __len__()'],
      ['if __name__ == "__main__":'],
      ['a.__b_c__.__d__ and _e_f'],
      ['__bold text__ and __Note__', '<b>bold text</b> and <b>Note</b>'],
      ['__note__: (__b__), a __c__.'],
      ['So.__note__ __Note__(s)', 'So.__note__ <b>Note</b>(s)'],
      ['**__init__** and **so __a__**', '<b>__init__</b> and <b>so __a__</b>'],
      ['__a__ ='],
      ['**`a` __init__.py**', '<b>a __init__.py</b>'],
    ],
  ],
  [
    'around brackets',
    [
      ['[a *b] c d*', '[a <i>b] c d</i>'],
      ['*a [b* c] d', '<i>a [b</i> c] d'],
    ],
  ],
  [
    'next to URLs',
    [
      ['<a href="http://x.y/_z_">*t*</a>', '<a href="http://x.y/_z_"><i>t</i></a>'],
      ['"http://x.y" *t*', '"http://x.y" <i>t</i>'],
      ['http://x.y> *t*', 'http://x.y> <i>t</i>'],
      ['*see http://x.y/a*b or c* d', '<i>see http://x.y/a*b or c</i> d'],
      ['**http://x.y/a** and *www.x.y*', '<b>http://x.y/a</b> and <i>www.x.y</i>'],
    ],
  ],
]

describe.each(cases)('marks %s', (_title, rows) => {
  test.each(rows.map(([markdown, shown = markdown]) => [markdown, shown]))('%s', async (markdown, shown) => {
    expect(await emphasized(markdown)).toBe(shown)
    // The same while streaming, and in a heading, which is read as a whole.
    expect(await render(markdown.split(''))).toBe(await render(markdown))
    const heading = await lines(`# ${markdown}`, { columns: 200 })
    expect(heading).toEqual(await lines(markdown, { columns: 200 }))
  })
})

test('marks in a table', async () => {
  const [, , , row] = await lines('|a|b|\n|-|-|\n| **Yes**/**No** | src/**/*.ts, __init__.py, **S**trengths |')
  expect(row).toBe('│ Yes/No │ src/**/*.ts, __init__.py, Strengths │')
})
