/** Fenced code blocks of a Markdown text (CommonMark 4.5). */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fencedBlocks } from '../../../src/terminal/markdown/block-reader.ts'
import { samples } from '../../helpers/samples.ts'

test.each<[title: string, markdown: string, blocks: string[]]>([
  ['inline code', 'some `code` and ```more``` of it', []],
  ['one with a language', 'Run:\n```sh\nls\npwd\n```\nDone.', ['ls\npwd\n']],
  ['a language in braces', '``` {.python .numberLines}\n1\n```', ['1\n']],
  ['an empty one', '```\n```', []],
  ['a longer fence holds shorter ones', '````md\n```sh\nls\n```\n````', ['```sh\nls\n```\n']],
  ['Windows line endings', '```\r\na\r\nb\r\n```\r\n', ['a\nb\n']],
  ['at the start of a list item', '- ```sh\n  ls\n  ```\n- ```\n  pwd\n  ```', ['ls\n', 'pwd\n']],
  ['in a quote', '> ```\n> a\n>   b\n> ```', ['a\n  b\n']],
  ['a list in which the code has no indent', '1. do:\n   ```sh\necho a\necho b\n```\nafter', ['echo a\necho b\n']],
  ['code below a tag', '<details>\n<summary>Code</summary>\n```js\nlet a\n```\n</details>', ['let a\n']],
  [
    'a fence deep inside code does not close it',
    '```md\n- list:\n\n      ```\n      a\n      ```\n```',
    ['- list:\n\n      ```\n      a\n      ```\n'],
  ],
])('%s', async (_title, markdown, blocks) => {
  expect(await fencedBlocks(markdown)).toEqual(blocks)
})

describe('any code', () => {
  const fenceLike = fc.stringMatching(/^[ >\t]{0,4}[`~]{0,6}[a-z ]{0,4}$/)
  const code = fc.array(fc.oneof(fenceLike, fc.string())).map((lines) => lines.join('\n').replaceAll('\r', ''))
  const marker = fc.constantFrom('`', '~')
  const prose = fc.stringMatching(/^[a-z .]{0,20}$/)

  test('is extracted unchanged from a longer fence', async () => {
    await fc.assert(
      fc.asyncProperty(code, marker, prose, prose, async (text, character, before, after) => {
        const runs = [...text.matchAll(character === '`' ? /`+/g : /~+/g)].map(([run]) => run.length)
        const fence = character.repeat(Math.max(3, ...runs.map((length) => length + 1)))
        const block = text === '' ? '' : `${text}\n`
        expect(await fencedBlocks(`${before}\n${fence}sh\n${block}${fence}\n${after}`)).toEqual(
          block.trim() === '' ? [] : [block],
        )
      }),
      samples(),
    )
  })
})

test.each([
  ['a label', `[${'a'.repeat(4_000_000)}`],
  ['cells', `${'|'.repeat(2_000_000)}\n${'|-'.repeat(1_000_000)}`],
])('a line of millions of characters before a block: %s', async (_what, line) => {
  expect(await fencedBlocks(`${line}\n\n\`\`\`\na\n\`\`\``)).toEqual(['a\n'])
})

test('a search in a long text ends when the run is stopped', async () => {
  const stopping = new AbortController()
  const search = fencedBlocks('a\n'.repeat(200_000), stopping.signal)
  stopping.abort(new Error('stopped'))
  await expect(search).rejects.toThrow('stopped')
})
