/** Which conversation `-c` and `--session` select. */

import { utimesSync } from 'node:fs'
import { expect, test } from 'vitest'
import { end, streamed } from '../../helpers/chat-chunks.ts'
import { conversationFiles, homeWithConversations, linesIn, runChats } from '../../helpers/conversations.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const one = streamed('One.', end())
const two = streamed('Two.', end())
const user = (content: string): object => ({ role: 'user', content })

const home = (): string =>
  homeWithConversations(
    { id: '20261121-101512-aaaaaa', turns: [['a', 'One.']] },
    { id: '20261121-101512-abcdef', turns: [['b', 'Two.']] },
    { id: '20261120-080000-aaaaaa', name: 'old', turns: [['c', 'Three.']] },
  )

test.each([
  ['-c', 'a'],
  ['--session=old', 'c'],
  ['--session=20261121-101512-ab', 'b'],
  ['--session=20261120', 'c'],
])('%s', async (flag, first) => {
  const { outcomes, last } = await runChats(home(), [two], [flag, 'x'])
  expect(outcomes[0]).toEqual({ code: 0, out: 'Two.\n', err: '' })
  expect(last).toMatchObject({ model: 'hf:one', messages: [user(first), {}, user('x')] })
})

test.each([
  [['--session', '20261121-1015'], '2 conversations match "20261121-1015"\nhint: use an ID: 20261121-101512-a'],
  [
    ['--session', '20261121-101512-abcdee'],
    'no such conversation "20261121-101512-abcdee" (did you mean 20261121-101512-abcdef?)\n',
  ],
  [['--session', ''], '--session: the name is empty\n'],
  [['--session', 'x'.repeat(101)], '--session: "'],
  [['--session', 'a\u001bb'], '--session: "a\\u001bb" contains control characters\n'],
])('%j is refused', async (argv, message) => {
  const { outcomes, sent } = await runChats(home(), [two], [...argv, 'x'])
  expect(outcomes[0]).toMatchObject({ code: 2, out: '', err: expect.stringContaining(`syn: ${message}`) })
  expect(sent).toEqual([])
})

test('-c continues the conversation with the last activity, regardless of file times', async () => {
  const touched = home()
  const [, latest = '', oldest = ''] = conversationFiles(touched)
  utimesSync(oldest, 4e9, 4e9)
  utimesSync(latest, 1e9, 1e9)
  const { last } = await runChats(touched, [one], ['-c', 'x'])
  expect(last.messages).toEqual([user('a'), expect.anything(), user('x')])
})

test('composed and decomposed names are the same', async () => {
  const [kept, given] = ['e\u0301te\u0301', '\u00e9t\u00e9']
  const named = homeWithConversations({ id: '20261120-080000-aaaaaa', name: kept, turns: [['c', 'Three.']] })
  const { outcomes, last } = await runChats(named, [two], ['--session', given, 'x'])
  expect(outcomes).toEqual([{ code: 0, out: 'Two.\n', err: '' }])
  expect(last.messages).toEqual([user('c'), expect.anything(), user('x')])
})

test('-c without any is refused', async () => {
  const { outcomes, sent } = await runChats(emptyFolder(), [two], ['-c', 'x'])
  expect(outcomes[0]).toEqual({
    code: 2,
    out: '',
    err: 'syn: no conversation to continue\nhint: conversations are saved on a terminal, and elsewhere with --save\n',
  })
  expect(sent).toEqual([])
})

test('a new name starts a conversation, with a notice', async () => {
  const begun = homeWithConversations({ id: '20261120-080000-aaaaaa', name: 'french', turns: [['c', 'Three.']] })
  const { outcomes, last } = await runChats(begun, [two], ['--session', 'frensh', 'x'])
  expect(outcomes[0]).toEqual({
    code: 0,
    out: 'Two.\n',
    err: 'syn: starting a new conversation "frensh" (did you mean french?)\n',
  })
  expect(last.messages).toEqual([user('x')])
  expect(conversationFiles(begun)).toHaveLength(2)
})

test.each([['--no-save'], ['--dry-run']])('%s with a new name: nothing begins, and no notice', async (flag) => {
  const home = emptyFolder()
  const { outcomes } = await runChats(home, [two], ['--session', 'french', flag, 'x'])
  expect(outcomes[0]).toMatchObject({ code: 0, err: expect.not.stringContaining('new conversation') })
  expect(conversationFiles(home)).toEqual([])
})

test('two runs that start the same name at once create one conversation', async () => {
  const empty = emptyFolder()
  await Promise.all([runChats(empty, [one], ['--session', 'x', 'a']), runChats(empty, [two], ['--session', 'x', 'b'])])
  expect(linesIn(empty).filter(({ type }) => type === 'end')).toHaveLength(2)
})
