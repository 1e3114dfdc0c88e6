/** JSON and tables have the service's own digits of each number. */

import { expect, test } from 'vitest'
import { embed, linesOf } from '../../helpers/embed.ts'
import { json, testKey } from '../../helpers/service.ts'

/** What a run wrote that got this reply. */
async function written(reply: string, argv: string[]): Promise<string> {
  const { code, out, err } = await embed(argv, { answer: () => json(reply) })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
}

const numbers = '1e-5,-0,1.0,-1.50E+2,0.10,12345678901234567890'

test.each<[argv: string[], out: string]>([
  [['hi'], `{"index":0,"embedding":[${numbers}]}\n`],
  [['--format', 'csv', 'hi'], `index,v0,v1,v2,v3,v4,v5\n0,${numbers}\n`],
])('%j', async (argv, out) => {
  expect(await written(`{"data":[{"index":0,"embedding":[${numbers}]}]}`, argv)).toBe(out)
})

test.each<[title: string, reply: string]>([
  ['spaces and line breaks', '{ "data" : [\r\n{ "embedding" :\t[ 1.0 ,\n 2.50\r\n]\n} , { "embedding":[3.0,4]}]}\n'],
  ['another order', '{"data":[{"index":1,"embedding":[3.0,4]},{"index":0,"embedding":[1.0,2.50]}]}'],
  [
    'names twice',
    '{"data":[{"embedding":[9]}],"data":[{"embedding":[8],"embedding":[1.0,2.50]},{"embedding":[3.0,4]}]}',
  ],
  ['an escaped name', String.raw`{"d\u0061ta":[{"\u0065mbedding":[1.0,2.50]},{"embedding":[3.0,4]}]}`],
  [
    'text that looks alike',
    String.raw`{"x":"\"data\":[{\"embedding\":[9]}]","data":[{"object":"\"embedding\":[7]\\","embedding":[1.0,2.50]},{"embedding":[3.0,4]}]}`,
  ],
  [
    'other objects',
    '{"x":{"data":[{"embedding":[9]}]},"data":[{"x":{"embedding":[7]},"embedding":[1.0,2.50],"y":[{"embedding":[6]}]},{"embedding":[3.0,4]}]}',
  ],
])('whatever the reply looks like: %s', async (_title, reply) => {
  const rows = '{"index":0,"embedding":[1.0,2.50]}\n{"index":1,"embedding":[3.0,4]}\n'
  expect(await written(reply, ['a', 'b'])).toBe(rows)
})

test('of a reply that contains the API key, the numbers', async () => {
  const out = await written(`{"model":"${testKey}","data":[{"${testKey}":[9],"embedding":[1.0,2.50]}]}`, ['hi'])
  expect(linesOf(out)).toEqual([{ index: 0, embedding: [1, 2.5] }])
})
