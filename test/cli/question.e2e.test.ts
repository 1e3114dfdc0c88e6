/** `syn "a question"` as a process, with and without a pipe. */

import { expect, test } from 'vitest'
import { environment, shell } from '../helpers/program.ts'
import { chatAnswer, events, startService } from '../helpers/service.ts'

test.each([["printf 'one\\ntwo\\n' | syn 'Summarize this'", 'Summarize this\n\none\ntwo']])(
  '%s',
  async (line, content) => {
    await using service = await startService(events(chatAnswer(['Hel', 'lo'])))
    expect(await shell(line, environment(service))).toEqual({ code: 0, signal: null, out: 'Hello\n', err: '' })
    expect(service.asked.map(({ json }) => json)).toMatchObject([{ messages: [{ role: 'user', content }] }])
  },
)

test('anything else that is no command leaves the pipe alone', async () => {
  await using service = await startService(events(chatAnswer(['Hello'])))
  const { code, out, err } = await shell('(syn Summarize this; cat) <<< text; exit $?', environment(service))
  expect({ code, out, requests: service.asked.length }).toEqual({ code: 0, out: 'text\n', requests: 0 })
  expect(err).toContain('to ask a model, use syn chat "QUESTION"\n')
})
