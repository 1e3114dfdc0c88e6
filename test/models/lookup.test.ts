/** A part of a model's name, or another case, means the only model of the stored list that has it. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder, runSyn, type Outcome } from '../helpers/run-syn.ts'
import { chatAnswer, events, json, startService, type Asked } from '../helpers/service.ts'

const listed = {
  data: [
    { id: 'hf:org/Ember-12B' },
    { id: 'hf:org/Glacier-900B' },
    { id: 'hf:org/Glacier-90B' },
    { id: 'hf:org/Ember-Embed' },
    { id: 'syn:large:text', hugging_face_id: 'org/Glacier-900B' },
  ],
}

async function ask(argv: string[], isTerminal = false): Promise<Outcome & { asked: readonly Asked[] }> {
  await using service = await startService((asked, response) =>
    (asked.method === 'GET' ? json(listed) : events(chatAnswer(['Hello'])))(asked, response),
  )
  const env = { ...service.env, HOME: emptyFolder() }
  expect((await runSyn(['models', '--ids'], { env })).code).toBe(0)
  service.asked.splice(0)
  const outcome = await runSyn(argv, { env, ...(isTerminal && { isTerminal: true }) })
  return { ...outcome, asked: [...service.asked] }
}

test.each(['org/ember-12', 'hf:Org/Ember-12b'])('%s off a terminal: exit 2', async (name) => {
  const { code, err, asked } = await ask(['chat', '-m', name, 'hi'])
  expect({ code, err, asked }).toEqual({
    code: 2,
    err: `syn: --model: no model named "${name}"\nhint: use -m hf:org/Ember-12B\n`,
    asked: [],
  })
})

test('on a terminal it is used, and said', async () => {
  const { code, err, asked } = await ask(['chat', '-m', 'ember', '--no-save', 'hi'], true)
  expect(code).toBe(0)
  expect(err).toContain('syn: using hf:org/Ember-12B\n')
  expect(asked.at(-1)?.json).toMatchObject({ model: 'hf:org/Ember-12B' })
})

test('of a prompt in a file, too', async () => {
  const file = join(emptyFolder(), 'ask.md')
  writeFileSync(file, '---\nmodel: ember\n---\nHi')
  const argv = ['chat', '-t', `@${file}`, '--no-save']
  expect((await ask(argv, true)).asked.at(-1)?.json).toMatchObject({ model: 'hf:org/Ember-12B' })
  const err = `syn: --template ${file}, line 2: model: no model named "ember"\nhint: use hf:org/Ember-12B\n`
  expect(await ask(argv)).toMatchObject({ code: 2, err, asked: [] })
  expect((await ask([...argv, '-m', 'hf:org/New'])).asked.at(-1)?.json).toMatchObject({ model: 'hf:org/New' })
})

test('several are named', async () => {
  const { code, err } = await ask(['chat', '-m', 'glacier', 'hi'], true)
  expect(code).toBe(2)
  expect(err.replaceAll('\n', ' ')).toContain('2 names: hf:org/Glacier-900B, hf:org/Glacier-90B')
})

test('embed means embedding models', async () => {
  const { err } = await ask(['embed', '-m', 'ember', 'hi'])
  expect(err).toContain('hint: use -m hf:org/Ember-Embed\n')
})

test.each([
  ['9', 'a part that is too short'],
  ['acier', 'a part that begins within a word'],
])('%s: %s is not accepted', async (name) => {
  const { code, err, asked } = await ask(['chat', '-m', name, 'hi'], true)
  expect({ code, asked }).toEqual({ code: 2, asked: [] })
  expect(err.replaceAll('\n', ' ')).toContain(`"${name}" is not accepted`)
})

test.each(['hf:org/New', 'syn:large:text'])('%s is sent as it is', async (name) => {
  const { code, asked } = await ask(['chat', '-m', name, 'hi'])
  expect(code).toBe(0)
  expect(asked.at(-1)?.json).toMatchObject({ model: name })
})
