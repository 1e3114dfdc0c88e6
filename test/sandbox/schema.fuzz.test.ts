import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../src/io/json/json.ts'
import { sampleJson } from '../../src/sandbox/generate/sample.ts'
import { HttpError } from '../../src/sandbox/endpoint.ts'
import { smallText, useSandbox } from './clients.ts'
import { samples } from '../helpers/samples.ts'

const clients = useSandbox()
const request = 'Tell me about 3 cats in Paris, in red'

function sample(schema: JsonObject): Promise<Json> {
  return sampleJson(schema, request, 'the schema')
}

const ajv = new Ajv2020({ strict: false, logger: false })
// None of these schemas need it, and it throws for `if` beside `patternProperties`.
ajv.opts.unevaluated = false
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
  ['a whole number in a range', { type: 'integer', minimum: 10, exclusiveMaximum: 12 }],
  ['a multiple', { type: 'number', minimum: 0.35, maximum: 0.95, multipleOf: 0.25 }],
  ['below zero', { type: 'number', exclusiveMaximum: -5 }],
  ['unique items', { type: 'array', items: { enum: [1, 2, 3] }, minItems: 3, uniqueItems: true }],
  ['unique numbers', { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 20, uniqueItems: true }],
  ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false, minItems: 2 }],
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

test.each(schemas)('%s', async (_why, schema) => {
  const value = await sample(schema)
  expect(await sample(schema)).toEqual(value)
  expect([value, isValid(schema, value)]).toEqual([value, true])
})

const unfittable: [why: string, schema: JsonObject, message: string | RegExp][] = [
  ['nothing', { type: 'array', items: false, minItems: 1 }, /minItems: \$ must NOT have fewer than 1 items/],
  ['an empty list', { enum: [] }, /enum must have non-empty array/],
  ['an empty range', { type: 'integer', minimum: 3, maximum: 2 }, /maximum: \$ must be <= 2/],
  ['an endless recursion', { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }, /\$ref: \$\.a\.a\.a/],
  ['a reference to itself', { $ref: '#' }, /\$ref: \$ cannot be generated/],
  ['a reference elsewhere', { $ref: 'https://example.com/schema' }, /can't resolve reference https:/],
  [
    'a pattern',
    { type: 'array', items: { type: 'string', pattern: '^\\d{4}$' }, minItems: 1 },
    /pattern: \$\[0\] must match pattern/,
  ],
  [
    'a rare format',
    { properties: { to: { type: 'string', format: 'iri' } }, required: ['to'] },
    /format: \$\.to cannot be generated/,
  ],
  ['three of two', { type: 'array', items: { type: 'boolean' }, minItems: 3, uniqueItems: true }, /uniqueItems: \$/],
  [
    'a text that is too long',
    { type: 'string', minLength: 1e9 },
    /minLength: \$ must NOT have fewer than 1000000000 characters/,
  ],
  [
    'a list that contains',
    { type: 'array', items: { type: 'integer' }, contains: { const: 7 } },
    /contains: \$ must contain at least 1/,
  ],
  ['a list that is too long', { type: 'array', minItems: 1e9 }, /minItems: \$ cannot be generated/],
  [
    'names by a pattern',
    {
      type: 'object',
      patternProperties: { '^id_\\d$': { type: 'boolean' } },
      additionalProperties: false,
      minProperties: 2,
    },
    /additionalProperties: \$ must NOT have additional properties/,
  ],
  ['an invalid schema', { type: 'strong' }, /not a JSON schema: .*type/],
]

test.each(unfittable)('no value is sent for %s: status 400 names the keyword', async (_why, schema, message) => {
  const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } }
  const body = { model: smallText, messages: [{ role: 'user', content: 'hi' }], response_format }
  const response = await clients().fetch('/openai/v1/chat/completions', { body })
  const { error } = (await response.json()) as { error: string }
  expect([response.status, error]).toEqual([400, expect.stringMatching(message)])
  expect(error).toMatch(
    /^\$\.response_format\.json_schema\.schema: (the sandbox found no value for|not a JSON schema:) /,
  )
})

describe('a schema that takes too long is refused, and others are served meanwhile', () => {
  const slow = { type: 'string', pattern: '^(.|.)+\\d$', minLength: 60 }
  const value = { type: 'object', properties: { a: slow }, required: ['a'] }
  const twice = (name: number): JsonObject => ({ allOf: [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }] })
  const $defs = Object.fromEntries(Array.from({ length: 60 }, (_, name) => [name, name === 0 ? {} : twice(name - 1)]))
  test.each<[where: string, request: object]>([
    ['of an answer', { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: value } } }],
    [
      'doubling',
      { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { ...twice(59), $defs } } } },
    ],
  ])('%s', async (_where, request) => {
    const body = { model: smallText, messages: [{ role: 'user', content: 'greet' }], n: 2, ...request }
    const refused = clients().fetch('/openai/v1/chat/completions', { body })
    const served = await clients().fetch('/openai/v1/models')
    expect(served.status).toBe(200)
    const response = await refused
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: expect.stringMatching(/: the sandbox cannot check it: it takes longer than 400 ms$/) as string },
    ])
  })
})

test('values that can be left out or replaced cause no failure', async () => {
  const code = { type: 'string', pattern: '^\\d$' }
  expect(await sample({ type: 'object', properties: { code, count: { type: 'integer' } } })).toEqual({ count: 3 })
  expect(await sample({ anyOf: [code, { type: 'integer', maximum: 2 }] })).toBe(1)
})

test('arguments of a tool fit its schema, or status 400 names tool and keyword', async () => {
  const parameters = { type: 'object', properties: { code: { type: 'string', pattern: '^\\d$' } }, required: ['code'] }
  const tools = [{ type: 'function', function: { name: 'lookup', parameters } }]
  const body = { model: smallText, messages: [{ role: 'user', content: 'lookup' }], tools }
  const response = await clients().fetch('/openai/v1/chat/completions', { body })
  expect([response.status, await response.json()]).toEqual([
    400,
    { error: expect.stringMatching(/the tool lookup: the sandbox found no value for pattern: \$\.code/) as string },
  ])
})

test('values are taken from the request if they fit', async () => {
  const properties = { city: { type: 'string' }, count: { type: 'integer' }, color: { enum: ['blue', 'red'] } }
  expect(await sample({ type: 'object', properties })).toEqual({ city: 'Paris', count: 3, color: 'red' })
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

const schemaOf = fc.letrec<
  Record<'any' | 'leaf' | 'object' | 'map' | 'array' | 'tuple' | 'union' | 'both', JsonObject>
>((tie) => ({
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
    fc.oneof(fc.string(), fc.integer(), fc.constant(null)).map((value) => ({ const: value })),
    fc
      .tuple(fc.integer({ min: -9, max: 9 }), fc.constantFrom(1, 2, 0.5, 5))
      .map(([above, multipleOf]) => ({ type: 'number', exclusiveMinimum: above, multipleOf })),
    fc.constantFrom('tree', 'list').map((name) => ({ $ref: `#/$defs/${name}` })),
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
  map: fc
    .tuple(tie('any'), fc.nat(3))
    .map(([additionalProperties, minProperties]) => ({ type: 'object', additionalProperties, minProperties })),
  tuple: fc
    .array(tie('any'), { minLength: 1, maxLength: 3 })
    .map((prefixItems) => ({ type: 'array', prefixItems, items: false, minItems: prefixItems.length })),
  both: fc.tuple(tie('object'), tie('object'), fc.constantFrom('a', 'b')).map(([first, second, kind]) => ({
    allOf: [{ properties: { kind: { type: 'string' }, first } }, { properties: { second }, required: ['second'] }],
    oneOf: [
      { properties: { kind: { const: kind } }, required: ['kind'] },
      { properties: { kind: { const: `${kind}!` }, size: { type: 'integer' } }, required: ['kind', 'size'] },
    ],
  })),
  union: fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    tie('object'),
    tie('map'),
    tie('array'),
    tie('tuple'),
    tie('union'),
    tie('both'),
  ),
}))

const $defs = {
  tree: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/tree' } } } },
  list: {
    type: 'object',
    properties: { next: { oneOf: [{ $ref: '#/$defs/list' }, { type: 'null' }] } },
    required: ['next'],
  },
}

test('the value fits any schema', async () => {
  await fc.assert(
    fc.asyncProperty(schemaOf.any, async (any) => {
      const schema = { ...any, $defs }
      const value = await sample(schema)
      expect([value, isValid(schema, value)]).toEqual([value, true])
    }),
    samples(2),
  )
})

const others = fc.record(
  {
    pattern: fc.constantFrom('^a', '^\\d+$', 'Tell', '.'),
    format: fc.constantFrom('iri', 'date', 'color'),
    uniqueItems: fc.boolean(),
    not: schemaOf.any,
    if: schemaOf.any,
    then: schemaOf.any,
    contains: schemaOf.any,
    patternProperties: fc.constant({ '^k': { type: 'boolean' } }),
    propertyNames: fc.constant({ maxLength: 3 }),
    minProperties: fc.nat(3),
    multipleOf: fc.constantFrom(3, 0.1),
    maximum: fc.integer({ min: -5, max: 5 }),
  },
  { requiredKeys: [] },
)

/** It has no property, and one that fits. */
const emptyBesideThen: [JsonObject, JsonObject, boolean] = [
  { type: 'object', properties: {} },
  {
    if: { type: 'integer', minimum: 0, maximum: 0 },
    then: { type: 'object', additionalProperties: { type: 'string', minLength: 0, maxLength: 0 }, minProperties: 0 },
    patternProperties: { '^k': { type: 'boolean' } },
    minProperties: 1,
  },
  false,
]

test('with any other keyword the value fits, or an error names a keyword: never a wrong value', async () => {
  await fc.assert(
    fc.asyncProperty(schemaOf.any, others, fc.boolean(), async (any, more, isInside) => {
      const inside = { ...any, ...more } as JsonObject
      const schema = isInside ? { properties: { a: inside }, required: ['a'], $defs } : { ...inside, $defs }
      const outcome = await sample(schema).catch((error: unknown) => error)
      if (outcome instanceof HttpError)
        // On a busy machine, compiling may take too long.
        expect(outcome.message).toMatch(/^the schema: the sandbox (found no value for [$\w ]+: \$|cannot check it: )/)
      else expect([outcome, isValid(schema, outcome)]).toEqual([outcome, true])
    }),
    { ...samples(2), examples: [emptyBesideThen] },
  )
})
