/** /reasoning: the reasoning of the last answer. */

import { expect, test } from 'vitest'
import { delta, end, streamed } from '../helpers/chat-chunks.ts'
import { dialects } from '../helpers/dialects.ts'
import { openChat } from '../helpers/interactive-chat.ts'

test.each(dialects)(
  'of the last answer of $name on the branch after /undo, and of a continued one',
  async (dialect) => {
    const answers = [dialect.streamed({ reasoning: 'First.' }, 'One'), dialect.streamed('Two')]
    await using chat = await openChat(answers, { dialect })
    await chat.enter('one')
    await chat.enter('two')
    await chat.enter('/reasoning')
    expect(chat.linesBelow('› /reasoning')[0]).toBe('the last answer has no reasoning')
    await chat.type('/undo\r', '› two')
    await chat.clear()
    await chat.enter('/reasoning')
    expect(chat.linesBelow('› /reasoning')[0]).toBe('First.')
    await using again = await openChat(answers, { dialect, argv: ['-c'], env: { HOME: chat.home } })
    await again.enter('/reasoning')
    expect(again.linesBelow('› /reasoning')[0]).toBe('First.')
  },
)

test('of several answers, each under its heading; control characters are visible', async () => {
  const thought = (text: string, index: number): object => delta({ reasoning_content: text }, index)
  const both = streamed(
    thought('One \u001b]0;x\u0007', 0),
    thought('Two', 1),
    delta('A'),
    delta('B', 1),
    end(),
    end('stop', 1),
  )
  await using chat = await openChat([both], { argv: ['--n', '2'] })
  await chat.enter('hi')
  await chat.enter('/reasoning')
  const expected = ['Answer 1', 'One ␛]0;x␇', '', 'Answer 2', 'Two', '', 'reasoning of later answers: one line', '']
  expect(chat.linesBelow('› /reasoning')).toEqual(expected)
})
