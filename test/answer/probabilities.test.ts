/** `--logprobs` colors tokens in either shape of log probabilities, for chat and text completions. */

import { expect, test } from 'vitest'
import { delta, end as chatEnd, streamed as chatStreamed } from '../helpers/chat-chunks.ts'
import { end, piece, streamed } from '../helpers/complete.ts'
import { draw } from '../helpers/draw.ts'
import { playBack } from '../helpers/foreign.ts'
import { startService } from '../helpers/service.ts'

const [green, red] = [40, 196]
const legend = 'syn: probability 0% ■■■■■■■■■■ 100%'

const inText = { tokens: ['Yes', ' no'], token_logprobs: [-0.01, -4] }
const inContent = {
  content: [
    { token: 'Yes', logprob: -0.01 },
    { token: ' no', logprob: -4 },
  ],
}

const commands = [
  ['complete', ['--logprobs=1'], (logprobs: object) => streamed(piece('Yes no', 0, { logprobs }), end())] as const,
  [
    'chat',
    ['--logprobs'],
    (logprobs: object) =>
      chatStreamed({ ...delta(''), choices: [{ index: 0, delta: { content: 'Yes no' }, logprobs }] }, chatEnd()),
  ] as const,
]

const cases = commands.flatMap((command) => [inText, inContent].map((logprobs) => [...command, logprobs] as const))

test.each(cases)('%s %j %o %j', async (command, flags, answerWith, logprobs) => {
  await using service = await startService(answerWith(logprobs))
  const screen = await draw([command, ...flags, 'x'], { env: service.env })
  expect(screen.lines()).toEqual(['Yes no', legend])
  expect(['Yes', 'no'].map((text) => screen.cellOf(text).getFgColor())).toEqual([green, red])
})

test('as a foreign server sends them', async () => {
  await using service = await startService(playBack('llama-complete-stream-logprobs'))
  const screen = await draw(['complete', '-q', '--logprobs', '2', 'Once'], { env: service.env, columns: 80 })
  expect(screen.lines()).toEqual([' two out'])
  expect(['two', 'out'].map((text) => screen.cellOf(text).isFgDefault())).toEqual([false, false])
})
