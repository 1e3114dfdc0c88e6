/** The reasoning of answers with tool calls goes back with them (chat API): models that think refuse the calls without it. */

import { describe, expect, test } from 'vitest'
import { isObject, type Json, type JsonObject, objectsIn } from '../../src/io/json/json.ts'
import { delta, end, streamed, whole } from '../helpers/chat-chunks.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { json, startService, type Answer } from '../helpers/service.ts'
import { toolsFile } from '../helpers/tools.ts'

const tool = toolsFile({ tools: { t: { command: ['echo', 'done'] } } })
const usingTool = ['--allow', 't', '--tools-file', tool]

const call = { id: 'c1', type: 'function', function: { name: 't', arguments: '{}' } }

/** Calls the tool, unless its result is the last message; streams as requested. Refuses calls without reasoning, as the service does. */
const thinking: Answer = (asked, response) => {
  const { messages, stream } = asked.json as { messages: Json[]; stream?: boolean }
  const lacking = messages.findIndex(
    (one) => isObject(one) && objectsIn(one.tool_calls).length > 0 && (one.reasoning_content ?? '') === '',
  )
  if (lacking !== -1) {
    const error = `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${lacking}`
    return json({ error }, 400)(asked, response)
  }
  const last = messages.at(-1)
  const isAnswer = isObject(last) && last.role === 'tool'
  const reasoning_content = isAnswer ? 'I know.' : 'I need t.'
  const content = isAnswer ? { content: 'Yes' } : { tool_calls: [{ index: 0, ...call }] }
  const finish_reason = isAnswer ? 'stop' : 'tool_calls'
  if (!stream) return whole({ content: null, reasoning_content, ...content }, finish_reason)(asked, response)
  const [first, second] = [reasoning_content.slice(0, 3), reasoning_content.slice(3)]
  const reasoning = [{ reasoning_content: first }, { reasoning_content: second }]
  return streamed(...reasoning.map((one) => delta(one)), delta(content), end(finish_reason))(asked, response)
}

/** The assistant messages of a request. */
function answersIn(request: unknown): JsonObject[] {
  const { messages } = request as { messages: Json[] }
  return objectsIn(messages).filter(({ role }) => role === 'assistant')
}

const withCall = { role: 'assistant', content: '', reasoning_content: 'I need t.', tool_calls: [call] }

describe.each(['--stream', '--no-stream'])('with %s', (stream) => {
  test('in the same run, in a later turn of the session, and in the preview', async () => {
    await using service = await startService(thinking)
    const env = { ...service.env, HOME: emptyFolder(), PATH: process.env.PATH ?? '' }
    const run = (...argv: string[]) => runSyn(['chat', '--session', 's', stream, ...usingTool, ...argv], { env })
    expect(await run('first')).toMatchObject({ code: 0, out: 'Yes\n' })
    expect(answersIn(service.asked[1]?.json)).toEqual([withCall])
    expect(await run('second')).toMatchObject({ code: 0, out: 'Yes\n' })
    // Answers without calls are sent without their reasoning.
    const both = [withCall, { role: 'assistant', content: 'Yes' }]
    expect(answersIn(service.asked[2]?.json)).toEqual(both)
    expect(answersIn(service.asked[3]?.json)).toEqual([...both, withCall])
    const { out } = await run('third', '--dry-run')
    expect(answersIn(JSON.parse(out))).toEqual([...both, ...both])
  })
})

test('not to another service', async () => {
  await using service = await startService(thinking)
  const env = { ...service.env, HOME: emptyFolder(), PATH: process.env.PATH ?? '' }
  expect(await runSyn(['chat', '--session', 's', ...usingTool, 'hi'], { env })).toMatchObject({ code: 0 })
  const other = ['--base-url', 'https://other.example', '--dry-run']
  const { out } = await runSyn(['chat', '--session', 's', 'again', ...other], { env })
  const { reasoning_content: _reasoning, ...others } = withCall
  expect(answersIn(JSON.parse(out))[0]).toEqual(others)
})
