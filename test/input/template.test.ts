import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTemplate } from '../../src/input/template.ts'
import type { Json } from '../../src/io/json/json.ts'
import { samples } from '../helpers/samples.ts'

function rendered(template: string, value: Json): string {
  return parseTemplate(template).render({ line: 7, raw: '', value }, 'in.jsonl')
}

test.each<[string, Json, string]>([
  ['{{ a }}{{a}} }} {', { a: 'x' }, 'xx }} {'],
  ['{{a.b}}', { 'a.b': 'named', a: { b: 'deep' } }, 'named'],
  ['{{n}} {{yes}} {{none}}|', { n: 0.5, yes: true, none: null }, '0.5 true |'],
  ['{{list}} {{map}}', { list: [1, 'a'], map: { b: null } }, '[1,"a"] {"b":null}'],
  ['{{.}}', { a: [1] }, '{"a":[1]}'],
  ['{{"{{"}}a}} is how {{a}} is written', { a: 'x' }, '{{a}} is how x is written'],
  ['{{a}}', { a: '{{b}}', b: 'never' }, '{{b}}'],
])('%s of %j is %s', (template, value, text) => {
  expect(rendered(template, value)).toBe(text)
})

test.each<[string, Json, string]>([
  ['{{x}}', { title: 'a', text: 'b' }, 'in.jsonl, line 7: no column "x" (available: "title", "text")'],
  ['{{a.length}}', { a: [1] }, 'in.jsonl, line 7: no column "a.length" (available: "a")'],
])('%s of %j is refused', (template, value, message) => {
  expect(() => rendered(template, value)).toThrow(expect.objectContaining({ message, code: 2 }))
})

test.each([
  ['one\ntwo {{text', '--template: {{ is not closed at line 2, column 5'],
  ['{{}}', '--template: "{{}}" at line 1, column 1 is not accepted; expected {{column}}, {{a.b}} or {{.}}'],
  ['a {{{b}}}', '--template: "{{{b}}" at line 1, column 3 is not accepted; expected {{column}}, {{a.b}} or {{.}}'],
])('the template %j is refused', (template, message) => {
  expect(() => parseTemplate(template)).toThrow(expect.objectContaining({ message, code: 2 }))
})

test('the texts of columns stand where they are named, and nothing else changes', () => {
  const literal = fc.string({ unit: fc.constantFrom('a', ' ', '}', '\n', '"', '$', '$&', 'é') })
  const name = fc.string({ minLength: 1, unit: fc.constantFrom('a', 'B', '1', ' ', '.', '_', '"', '#') })
  const parts = fc.array(fc.tuple(literal, name, fc.string()))
  fc.assert(
    fc.property(parts, literal, (given, end) => {
      const value: Record<string, string> = {}
      for (const [, column, text] of given) if (column.trim() !== '.') value[column.trim()] = text
      const used = given.filter(([, column]) => Object.hasOwn(value, column.trim()))
      const template = used.map(([before, column]) => `${before}{{${column}}}`).join('') + end
      const expected = used.map(([before, column]) => before + value[column.trim()]).join('') + end
      fc.pre(used.every(([, column]) => column.trim() !== ''))
      expect(rendered(template, value)).toBe(expected)
    }),
    samples(),
  )
})
