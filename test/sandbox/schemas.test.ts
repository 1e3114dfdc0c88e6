import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
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

/** As pydantic 2.13, zod 4.6 and the guides of OpenAI write them. */
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
  ['anything', {}, 'Tell me about 3 cats in Paris, in red'],
  ['a constant', { const: { a: [1] } }, { a: [1] }],
  ['one of a list, which the request names', { enum: ['blue', 'red'] }, 'red'],
  ['two of a list', { type: 'array', items: { enum: [1, 2] }, uniqueItems: true }, [1, 2]],
  ['text of a length', { type: 'string', minLength: 45, maxLength: 45 }, `${request}........`],
  ['text of no length', { type: 'string', maxLength: 0 }, ''],
  ['a whole number in a range', { type: 'integer', minimum: 10, exclusiveMaximum: 12 }, 10],
  ['a number between whole ones', { type: 'number', exclusiveMinimum: 4, exclusiveMaximum: 5 }, 4.5],
  ['below zero', { type: 'number', exclusiveMaximum: -5 }, -6],
  ['no items', { type: 'array', maxItems: 0 }, []],
  ['a format that is not known', { type: 'string', format: 'path', maxLength: 4 }, 'Tell'],
  ['what cannot be generated, and may be left out', { type: 'object', properties: { code } }, {}],
  ['what cannot be generated, or null', { anyOf: [code, { type: 'null' }] }, null],
  [
    'values of the request',
    { properties: { city: { type: 'string' }, count: { type: 'integer' } } },
    { city: 'Paris', count: 3 },
  ],
  [
    'all of',
    { allOf: [{ properties: { a: { type: 'null' } } }, { properties: { b: { type: 'boolean' } }, required: ['b'] }] },
    { a: null, b: true },
  ],
])('%s', async (_why, schema, value) => {
  expect(await sample(schema)).toEqual(value)
})

test.each<[why: string, schema: JsonObject, message: string | RegExp]>([
  ['nothing', { type: 'array', items: false, minItems: 1 }, /\$ must NOT have fewer than 1 items/],
  ['an empty list', { enum: [] }, /enum must have non-empty array/],
  ['an empty range', { type: 'integer', minimum: 3, maximum: 2 }, /\$ must be >= 3/],
  [
    'an endless recursion',
    { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] },
    /\$\.a\.a\.a\S+ must be object/,
  ],
  ['a reference to itself', { $ref: '#' }, /\$ cannot be checked: /],
  ['a reference elsewhere', { $ref: 'https://example.com/schema' }, /can't resolve reference https:/],
  ['a pattern', { type: 'array', items: code, minItems: 1 }, /\$\[0\] must match pattern/],
  ['a text that is too long', { type: 'string', minLength: 1e9 }, /\$ must NOT have fewer than 1000000000/],
  ['a list that is too long', { type: 'array', minItems: 1e9 }, /\$ must NOT have fewer than 1000000000/],
  ['an invalid schema', { type: 'strong' }, /not a JSON schema: .*type/],
])('no value is sent for %s: status 400 says why', async (_why, schema, message) => {
  const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } }
  const { status, json } = await clients().chat({ response_format })
  expect([status, json]).toEqual([400, { error: expect.stringMatching(message) as string }])
  expect(json['error']).toMatch(
    /^\$\.response_format\.json_schema\.schema: (the sandbox found no value that fits|not a JSON schema): /,
  )
})

describe('a schema that takes too long is refused, and others are served meanwhile', () => {
  const slow = { type: 'string', pattern: '^(.|.)+\\d$', minLength: 60 }
  const value = { type: 'object', properties: { a: slow }, required: ['a'] }
  const twice = (name: number): JsonObject => ({ allOf: [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }] })
  const $defs = Object.fromEntries(Array.from({ length: 60 }, (_, name) => [name, name === 0 ? {} : twice(name - 1)]))
  test.each<[where: string, schema: JsonObject]>([
    ['of an answer', value],
    ['doubling', { ...twice(59), $defs }],
  ])('%s', async (_where, schema) => {
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
})

test('arguments of a tool fit its schema, or status 400 names the tool and the problem', async () => {
  const parameters = { type: 'object', properties: { code }, required: ['code'] }
  const tools = [{ type: 'function', function: { name: 'lookup', parameters } }]
  expect(await clients().chat({ messages: [{ role: 'user', content: 'lookup' }], tools })).toEqual({
    status: 400,
    json: {
      error: expect.stringMatching(/the tool lookup: the sandbox found no value that fits: \$\.code/) as string,
    },
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
