import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../../src/io/json.ts'
import { readSource } from '../../src/sandbox/schema/source.ts'
import { valueFor } from '../../src/sandbox/schema/value.ts'
import { useSandbox } from './clients.ts'

const clients = useSandbox()
const source = readSource('Tell me about 3 cats in Paris, in red')

const ajv = new Ajv2020({ strict: false, logger: false })
addFormats.default(ajv)

function isValid(schema: JsonObject, value: unknown): boolean {
  return ajv.validate(schema, value)
}

const node = {
  type: 'object',
  properties: { next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
  required: ['next'],
}

const schemas: [why: string, schema: JsonObject][] = [
  ['anything', {}],
  ['a constant', { const: { a: [1] } }],
  ['one of a list', { enum: ['blue', 'red'] }],
  ['nullable', { type: ['null', 'string'] }],
  ['text of a length', { type: 'string', minLength: 500, maxLength: 501 }],
  ['text of no length', { type: 'string', maxLength: 0 }],
  ['a pattern', { type: 'string', pattern: '^[A-Z]{2,3}-\\d{4}(?:-(?:alpha|beta))?$' }],
  ['a pattern with a length', { type: 'string', pattern: '^[a-f0-9]+$', minLength: 32, maxLength: 32 }],
  ['a pattern with classes', { type: 'string', pattern: '^[^\\s@]+@[\\w.-]+\\.(com|org)$' }],
  ['a pattern with groups', { type: 'string', pattern: '^(?<year>\\d{4})-(0[1-9]|1[0-2])$' }],
  ['a pattern with properties', { type: 'string', pattern: '^\\p{Lu}\\p{Ll}+$' }],
  ['a whole number in a range', { type: 'integer', minimum: 10, exclusiveMaximum: 12 }],
  ['a multiple', { type: 'number', minimum: 0.35, maximum: 0.95, multipleOf: 0.25 }],
  ['below zero', { type: 'number', exclusiveMaximum: -5 }],
  ['unique items', { type: 'array', items: { enum: [1, 2, 3] }, minItems: 3, uniqueItems: true }],
  ['unique numbers', { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 20, uniqueItems: true }],
  ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false, minItems: 2 }],
  ['containing', { type: 'array', items: { type: 'integer' }, contains: { const: 7 } }],
  ['exactly one', { oneOf: [{ type: 'number' }, { type: 'integer' }, { type: 'string', minLength: 2 }] }],
  ['not', { type: 'string', not: { pattern: 'cats' } }],
  [
    'all of',
    {
      allOf: [
        { properties: { a: { minimum: 3 } } },
        { properties: { a: { type: 'integer', maximum: 4 } }, required: ['a'] },
      ],
    },
  ],
  [
    'if',
    {
      type: 'object',
      properties: { a: { enum: ['x', 'y'] } },
      required: ['a'],
      if: { properties: { a: { const: 'x' } } },
      then: { required: ['b'] },
    },
  ],
  ['a map', { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 3 }],
  [
    'a map with names',
    {
      type: 'object',
      patternProperties: { '^id_\\d$': { type: 'boolean' } },
      additionalProperties: false,
      minProperties: 2,
    },
  ],
  ['a recursion', { $ref: '#/$defs/node', $defs: { node } }],
  [
    'a tree',
    {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#' } } },
      required: ['children'],
      additionalProperties: false,
    },
  ],
  ...['date-time', 'date', 'time', 'email', 'uri', 'uuid', 'ipv4', 'ipv6', 'hostname', 'duration'].map(
    (format): [string, JsonObject] => [
      format,
      { type: 'array', items: { type: 'string', format }, minItems: 3, uniqueItems: true },
    ],
  ),
]

test.each(schemas)('%s', (_why, schema) => {
  const value = valueFor(schema, source)
  expect([value, isValid(schema, value)]).toEqual([value, true])
})

const impossible: [why: string, schema: Json][] = [
  ['nothing', false],
  ['an empty list', { enum: [] }],
  ['an empty range', { type: 'integer', minimum: 3, maximum: 2 }],
  ['an endless recursion', { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }],
]

test.each(impossible)('no value fits %s', (_why, schema) => {
  expect(valueFor(schema, source)).toBeUndefined()
})

test('values are taken from the request where it holds any that suit', () => {
  const properties = { city: { type: 'string' }, count: { type: 'integer' }, colour: { enum: ['blue', 'red'] } }
  expect(valueFor({ type: 'object', properties }, source)).toEqual({ city: 'Paris', count: 3, colour: 'red' })
})

const schemaOf = fc.letrec<Record<'any' | 'leaf' | 'object' | 'array' | 'union', JsonObject>>((tie) => ({
  leaf: fc.oneof(
    fc.record({ type: fc.constantFrom('string', 'integer', 'number', 'boolean', 'null') }),
    fc
      .tuple(fc.nat(20), fc.nat(20))
      .map(([least, more]) => ({ type: 'string', minLength: least, maxLength: least + more })),
    fc
      .tuple(fc.integer({ min: -50, max: 50 }), fc.nat(50))
      .map(([least, more]) => ({ type: 'integer', minimum: least, maximum: least + more })),
    fc
      .array(fc.oneof(fc.string(), fc.integer(), fc.boolean()), { minLength: 1, maxLength: 4 })
      .map((list) => ({ enum: list })),
    fc.constantFrom('date', 'email', 'uuid').map((format) => ({ type: 'string', format })),
  ),
  object: fc
    .tuple(fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), tie('any'), { maxKeys: 4 }), fc.boolean())
    .map(([properties, isStrict]) => ({
      type: 'object',
      properties,
      ...(isStrict ? { required: Object.keys(properties), additionalProperties: false } : {}),
    })),
  array: fc
    .tuple(tie('any'), fc.nat(3), fc.nat(3))
    .map(([items, least, more]) => ({ type: 'array', items, minItems: least, maxItems: least + more })),
  union: fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
  any: fc.oneof({ depthSize: 'small', withCrossShrink: true }, tie('leaf'), tie('object'), tie('array'), tie('union')),
}))

test('whatever the schema, the value fits', () => {
  fc.assert(
    fc.property(schemaOf.any, (schema) => isValid(schema, valueFor(schema, source))),
    { numRuns: 150 },
  )
})

test('the official client gets JSON of the schema it asked for, or any object', async () => {
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
