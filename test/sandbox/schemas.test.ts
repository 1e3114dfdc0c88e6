import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../../src/io/json/json.ts'
import { sampleJson } from '../../src/sandbox/generate/sample.ts'
import { useSandbox } from './clients.ts'

const clients = useSandbox()
const request = 'Tell me about 3 cats in Paris, in red'

function sample(schema: JsonObject): Promise<Json> {
  return sampleJson(schema, request, 'the schema')
}

function isValid(schema: JsonObject, value: unknown): boolean {
  const isDraft7 = JSON.stringify(schema).includes('draft-07')
  const ajv = new (isDraft7 ? Ajv : Ajv2020)({ strict: false, logger: false })
  addFormats.default(ajv)
  return ajv.validate(schema, value)
}

/** Schemas that pydantic 2.13, zod 4.6 and the guides of OpenAI write. */
const writtenByOthers = readFileSync('test/fixtures/schemas.jsonl', 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as { name: string; schema: JsonObject })

test.each(writtenByOthers)('$name', async ({ schema }) => {
  const value = await sample(schema)
  expect(await sample(schema)).toEqual(value)
  expect([value, isValid(schema, value)]).toEqual([value, true])
})

const code = { type: 'string', pattern: '^\\d$' }

test.each<[why: string, schema: JsonObject, value: Json]>([
  ['a constant', { const: { a: [1] } }, { a: [1] }],
  ['text of a length', { type: 'string', minLength: 45, maxLength: 45 }, `${request}........`],
  ['a number between whole ones', { type: 'number', exclusiveMinimum: 4, exclusiveMaximum: 5 }, 4.5],
  ['a format that is not known', { type: 'string', format: 'path', maxLength: 4 }, 'Tell'],
  ['what cannot be generated, or null', { anyOf: [code, { type: 'null' }] }, null],
  [
    'all of',
    { allOf: [{ properties: { a: { type: 'null' } } }, { properties: { b: { type: 'boolean' } }, required: ['b'] }] },
    { a: null, b: true },
  ],
])('%s', async (_why, schema, value) => {
  expect(await sample(schema)).toEqual(value)
})

test.each<[why: string, schema: JsonObject, message: string | RegExp]>([
  [
    'an endless recursion',
    { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] },
    /\$\.a\.a\.a\S+ must be object/,
  ],
  ['a reference to itself', { $ref: '#' }, /\$ cannot be checked: /],
  ['a pattern', { type: 'array', items: code, minItems: 1 }, /\$\[0\] must match pattern/],
  ['an invalid schema', { type: 'strong' }, /not a JSON schema: .*type/],
])('no value is sent for %s: status 400 says why', async (_why, schema, message) => {
  const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } }
  const { status, json } = await clients().chat({ response_format })
  expect([status, json]).toEqual([400, { error: expect.stringMatching(message) as string }])
  expect(json['error']).toMatch(
    /^\$\.response_format\.json_schema\.schema: (the sandbox found no value that fits|not a JSON schema): /,
  )
})

test('a schema that takes too long is refused, and others are served meanwhile', async () => {
  const slow = { type: 'string', pattern: '^(.|.)+\\d$', minLength: 60 }
  const schema = { type: 'object', properties: { a: slow }, required: ['a'] }
  const refused = clients().chat({
    n: 2,
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
  })
  expect((await clients().fetch('/openai/v1/models')).status).toBe(200)
  expect(await refused).toEqual({
    status: 400,
    json: { error: expect.stringMatching(/: the sandbox cannot check it: it takes longer than 400 ms$/) as string },
  })
})

test('the official client gets JSON of the requested schema, or any object', async () => {
  const schema = {
    type: 'object',
    properties: { languages: { type: 'array', items: { type: 'string' } } },
    required: ['languages'],
  }
  const format = { type: 'json_schema', json_schema: { name: 'hello', schema, strict: true } }
  const text = await clients().ask('Say hello in three languages', { response_format: format })
  expect(isValid(schema, JSON.parse(text))).toBe(true)
  const object = await clients().ask('Say hello', { response_format: { type: 'json_object' } })
  expect(JSON.parse(object)).toMatchObject({ standIn: true, prompt: 'Say hello' })
})
