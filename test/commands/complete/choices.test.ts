/** Several completions are printed in order: on a terminal with headings, in a pipe with a blank line between them. */

import { expect, test } from 'vitest'
import { complete, end, piece, streamed, whole } from '../../helpers/complete.ts'

test.each<[argv: string[], count: number, titles: string[]]>([
  [['--prompt', 'a'], 1, []],
  [['--prompt', 'a', '--prompt', 'b'], 2, ['Prompt 1', 'Prompt 2']],
  [['--prompt-tokens', '[[1],[2]]'], 2, ['Prompt 1', 'Prompt 2']],
  [['--n', '2', 'a'], 2, ['Completion 1', 'Completion 2']],
  [
    ['--n', '2', '--prompt', 'a', '--prompt', 'b'],
    4,
    ['Prompt 1, completion 1', 'Prompt 1, completion 2', 'Prompt 2, completion 1', 'Prompt 2, completion 2'],
  ],
  // Without a known count: the first has started when the second arrives.
  [['a'], 2, ['', 'Completion 2']],
])('headings of %j', async (argv, count, titles) => {
  const texts = Array.from({ length: count }, (_, index) => `text ${index}`)
  const titled = texts.map((text, index) => (titles[index] ? `${titles[index]}\n${text}` : text))
  const streaming = streamed(...texts.flatMap((text, index) => [piece(text, index), end('stop', index)]))
  const replies = [
    { argv, answer: streaming },
    { argv: [...argv, '--no-stream'], answer: whole(...texts) },
  ]
  for (const { argv: all, answer } of replies) {
    const shown = await complete(['--no-color', ...all], { answer, isTerminal: true })
    expect(shown).toMatchObject({ code: 0, out: `${titled.join('\n\n')}\n` })
    expect(await complete(all, { answer })).toMatchObject({ code: 0, out: `${texts.join('\n\n')}\n`, err: '' })
  }
})

test('a notice about one names it', async () => {
  const answer = streamed(piece('x', 0), piece('y', 1), end('stop', 0), end('length', 1))
  expect((await complete(['--prompt', 'a', '--prompt', 'b'], { answer })).err).toBe(
    'syn: prompt 2 was cut off at the token limit; raise it with --max-tokens\n',
  )
})

test('an interrupted answer shows the buffered completions too', async () => {
  const chunks = [piece('one', 0), piece('two', 1)].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  const { code, out } = await complete(['--n', '2', 'a'], {
    answer: (_asked, response) => void response.writeHead(200).end(chunks.join('')),
  })
  expect({ code, out }).toEqual({ code: 7, out: 'one\n\ntwo' })
})
