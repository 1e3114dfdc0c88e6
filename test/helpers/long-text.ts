/** Long answers: Markdown of every kind, and how a stream cuts it. */

const chapter = `## 第一章 One

A paragraph with **bold text**, \`code\`, a [link](https://example.com/a_b) and an unclosed *star. 中文排版需要在任意字符之间换行。
It goes on in a second line; 日本語のテキスト、そして絵文字 🎉 too.

1. one
   - two
   - [x] three
2. four

> A quote
> of two lines.

| Name | Amount | 备注 |
|:-----|-------:|:----:|
| Ada  |     36 | 中文 |
| Bob  |   1234 | 日本 |

\`\`\`ts
const greeting = \`Hello, \${name}\` // 你好
/* a comment
   of two lines */
\`\`\`
`

/** @param characters The length of the text. */
export function chapters(characters: number): string {
  return chapter.repeat(Math.ceil(characters / chapter.length)).slice(0, characters)
}

/** @param count How many pieces, of equal length. */
export function cut(whole: string, count: number): string[] {
  return Array.from({ length: count }, (_, piece) =>
    whole.slice(Math.floor((piece * whole.length) / count), Math.floor(((piece + 1) * whole.length) / count)),
  )
}
