/** `syn models`: the list and its output formats. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { list, models } from '../../helpers/models.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { json } from '../../helpers/service.ts'

const [glm, qwen, nomic] = ['hf:zai-org/GLM-4.7', 'hf:Qwen/Qwen3-VL', 'hf:nomic-ai/nomic-embed-text-v1.5']
const [text, smallText, vision, smallVision] = [
  'syn:large:text',
  'syn:small:text',
  'syn:large:vision',
  'syn:small:vision',
]

test('off a terminal each is a tab-separated line; aliases that only the specification names come last', async () => {
  const { code, out, err, asked } = await models([])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(asked.map(({ method, path, body }) => [method, path, body])).toEqual([['GET', '/openai/v1/models', '']])
  expect(out.split('\n')).toEqual([
    `${glm}\t202752\ttext\ttools,json_mode,reasoning\t0.00000055\t0.00000219\t\t\t\tnone,high`,
    `${qwen}\t262144\ttext,image\ttools\t0.0000001\t0.0000004\t\t\t\t`,
    `${nomic}\t8192\t\t\t0\t\t\t\t\t`,
    `${text}\t\t\t\t\t\t${glm}\t\t\t`,
    `${vision}\t\t\t\t\t\t${qwen}\t\t\t`,
    `${smallText}\t\t\t\t\t\t\t\t\t`,
    `${smallVision}\t\t\t\t\t\t\t\t\t`,
    '',
  ])
})

test('--ids is the first column', async () => {
  expect((await models(['--ids'])).out).toBe((await models([])).out.replaceAll(/\t.*/g, ''))
})

test("--json prints the service's whole reply, also if it is not a list", async () => {
  const { code, out, err } = await models(['--json'])
  expect({ code, out, err }).toEqual({ code: 0, out: `${JSON.stringify(list)}\n`, err: '' })
  const odd = await models(['--json'], { answer: json({ odd: [1.5, null] }) })
  expect(odd).toMatchObject({ code: 0, out: '{"odd":[1.5,null]}\n' })
})

test('-o writes a file, tab-separated also on a terminal', async () => {
  const path = join(emptyFolder(), 'models')
  expect(await models(['-o', path], { isTerminal: true })).toMatchObject({ code: 0, out: '' })
  expect(readFileSync(path, 'utf8')).toBe((await models([])).out)
})

test('another subcommand is refused', async () => {
  const { code, out, err, asked } = await models(['lits'])
  expect({ code, out, asked }).toEqual({ code: 2, out: '', asked: [] })
  expect(err).toBe('syn: unknown subcommand "lits" (did you mean list?)\nhint: available: list\n')
})
