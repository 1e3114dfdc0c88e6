/** `--schema`: the request, and the check of the answer. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chat, sentBy } from '../../helpers/chat.ts'
import { delta, end, streamed } from '../../helpers/chat-chunks.ts'
import type { Answer } from '../../helpers/service.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const person = {
  title: 'A person!',
  type: 'object',
  properties: { name: { type: 'string' }, 'a/b': { enum: ['x', 'y'] }, born: { type: 'string', format: 'date' } },
  required: ['name'],
  additionalProperties: false,
}
const file = join(emptyFolder(), 'person.json')
writeFileSync(file, JSON.stringify(person))

test.each([JSON.stringify(person), `@${file}`])('%s is sent as response_format', async (source) => {
  const answer = streamed('{"name":"Ada"}', end())
  expect(await sentBy(['--schema', source, 'hi'], { answer })).toMatchObject({
    response_format: { type: 'json_schema', json_schema: { name: 'A_person_', schema: person } },
  })
})

test('a schema without a title gets a name', async () => {
  const answer = streamed('[]', end())
  const format = { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'array' } } }
  expect((await sentBy(['--schema', '{"type":"array"}', 'hi'], { answer })).response_format).toEqual(format)
})

describe('a matching answer is printed once it is checked; another goes to stderr, with an error and exit 1', () => {
  const wrong = 'the answer does not match the schema: '
  test.each<[answer: string, problem: string]>([
    ['{"name":"Ada"}', ''],
    [' {"name": "Ada", "a/b": "x"}\n', ''],
    ['{}', `${wrong}$ must have required property 'name'`],
    ['{"name":"Ada","a/b":"z"}', `${wrong}$["a/b"] must be equal to one of the allowed values: ["x","y"]`],
    ['{"name":', `${wrong}it is not JSON`],
    ['```\n{"name":"Ada"}\n```\nor\n```\n{"name":"Eve"}\n```', `${wrong}it is not JSON`],
  ])('%s', async (answer, problem) => {
    const { code, out, err } = await chat(['--schema', file, 'hi'], { answer: streamed(answer, end()) })
    const isRight = problem === ''
    expect({ code, out, err }).toEqual({
      code: isRight ? 0 : 1,
      out: isRight ? `${answer.trim()}\n` : '',
      err: isRight ? '' : `${answer}\nsyn: ${problem}\n`,
    })
  })

  test.each(['```json\n{"name":"Ada"}\n```', '```\n{"name":"Ada"}'])(
    'the JSON in the only fence: %s',
    async (answer) => {
      const outcome = await chat(['--schema', file, 'hi'], { answer: streamed(answer, end()) })
      expect(outcome).toMatchObject({ code: 0, out: '{"name":"Ada"}\n', err: '' })
    },
  )

  test('every answer is checked', async () => {
    const answer = streamed(delta('[1]', 0), delta('["a"]', 1), end('stop', 0), end('stop', 1))
    const { code, err } = await chat(['--schema', '{"items":{"type":"number"}}', '--n', '2', 'hi'], { answer })
    expect({ code, err }).toEqual({ code: 1, err: `[1]\n\n["a"]\nsyn: ${wrong}$[0] must be number\n` })
  })

  test.each<[schema: string, answer: string, problem: string]>([
    ['{"$ref":"#"}', '{}', '$ cannot be checked: Maximum call stack size exceeded'],
    ['{"if":{"type":"number"},"patternProperties":{"^k":{"type":"boolean"}}}', '{"k":1}', '$.k must be boolean'],
    [
      '{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"number"}]}',
      '["a"]',
      '$[0] must be number',
    ],
  ])('the schema %s', async (schema, answer, problem) => {
    const outcome = await chat(['--schema', schema, 'hi'], { answer: streamed(answer, end()) })
    expect(outcome).toMatchObject({ code: 1, err: `${answer}\nsyn: ${wrong}${problem}\n` })
  })

  test('a schema whose check would take too long: a pattern that backtracks', async () => {
    const value = `${'a'.repeat(100)}!`
    const answer = streamed(JSON.stringify(value), end())
    const { code, out, err } = await chat(['--schema', '{"pattern":"^(a+)+$"}', 'hi'], { answer })
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: `${JSON.stringify(value)}
syn: the answer cannot be checked against the schema: it takes longer than 400 ms
hint: simplify the schema: a pattern such as ^(a+)+$, or alternatives within alternatives, may take years
`,
    })
  })

  test.each<[schema: object, notice: string]>([
    [{}, 'syn: --schema constrains nothing: any JSON matches\n'],
    [{ name: 'Ada', age: 3 }, 'syn: --schema constrains nothing: any JSON matches\n'],
    [{ properties: { name: { type: 'string' } } }, ''],
  ])('%j, with a notice if it checks nothing', async (schema, err) => {
    const outcome = await chat(['--schema', JSON.stringify(schema), 'hi'], { answer: streamed('{}', end()) })
    expect(outcome).toMatchObject({ code: 0, out: '{}\n', err })
  })

  test.each<[args: string, argv: string[], outcome: object]>([
    [
      '{}',
      ['--tools', '[{"type":"function","function":{"name":"weather"}}]'],
      { code: 0, out: 'weather({})\n', err: '' },
    ],
    ['{"name":"Ada"}', [], { code: 0, out: '{"name":"Ada"}\n' }],
    ['{}', [], { code: 1, out: '', err: expect.stringContaining(`weather, which was not offered: ${wrong}`) }],
  ])('a call of a tool with %s; %j', async (args, argv, outcome) => {
    const call = { tool_calls: [{ index: 0, id: 'a', function: { name: 'weather', arguments: args } }] }
    const answer = streamed(delta(call), end('tool_calls'))
    expect(await chat(['--schema', file, ...argv, 'hi'], { answer })).toMatchObject(outcome)
  })

  test.each<[answer: Answer, state: string]>([
    [streamed('{"name":', end('length')), 'was cut off at the token limit'],
    [streamed(end()), 'is empty'],
    [streamed(delta({ refusal: 'No.' }), end()), 'is a refusal: No.'],
  ])('an answer that is not whole is not checked, unless that is allowed: %#', async (answer, state) => {
    const argv = ['--schema', file, '--max-tokens', '5', 'hi']
    const { code, err } = await chat(argv, { answer })
    expect({ code, err }).toEqual({
      code: 7,
      err: expect.stringContaining(`syn: the answer ${state}\nhint: `) as string,
    })
    expect(await chat(['--allow-cut', ...argv], { answer })).toMatchObject({
      code: 1,
      err: expect.stringMatching(new RegExp(`(?:^|\n)syn: the answer ${state}.*\nsyn: ${wrong}`)) as string,
    })
  })
})
