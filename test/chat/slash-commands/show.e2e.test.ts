/** /show: a message and its answer, again. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { delta, end, streamed } from '../../helpers/chat-chunks.ts'
import { chat as family } from '../../helpers/families.ts'
import { openChat } from '../../helpers/interactive-chat.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { json } from '../../helpers/service.ts'

test('as the chat shows them, by number', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'notes.txt'), 'remember')
  const choices = streamed(delta('A'), delta('B \u001b[2J', 1), end(), end('stop', 1))
  const answers = [family.streamed({ reasoning: 'Let me see.\n' }, 'It is **bold**.\n\n- x'), choices, json({}, 400)]
  await using chat = await openChat(answers, { folder })
  await chat.enter('/file notes.txt')
  for (const text of ['one', 'two', 'three']) await chat.enter(text)
  const rows: [line: string, shown: string[]][] = [
    ['/show 1', ['message 1 of 3', '[notes.txt] › one', '', 'Let me see.', '', 'It is bold.', '', '• x', '']],
    ['/show 2', ['message 2 of 3', '› two', '', 'Answer 1', 'A', '', 'Answer 2', 'B ␛[2J', '']],
    ['/show', ['message 3 of 3', '› three', 'no answer yet', '']],
    ['/show 9', ['syn: /show 9: the conversation has 3 messages', '']],
    ['/show x', ['syn: /show: "x" is not accepted; expected the number of a message', '']],
  ]
  const shown: typeof rows = []
  for (const [line] of rows) {
    await chat.enter(line)
    shown.push([line, chat.linesBelow(`› ${line}`)])
    if (line === '/show 1') {
      expect(chat.screen.cellOf('bold').isBold()).toBeTruthy()
      expect(chat.screen.cellOf('Let me').isDim()).toBeTruthy()
    }
  }
  expect(shown).toEqual(rows)
  expect(chat.sent()).toHaveLength(3)
})
