/** Which alias answers a request with an image: by the list of today, that of a month ago, and others. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aliasFor, decodeModels } from '../../src/api/models.ts'
import type { Json } from '../../src/io/json/json.ts'
import { liveReply } from '../helpers/fixtures.ts'
import { openChat } from '../helpers/interactive-chat.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, events, json, startService } from '../helpers/service.ts'

const [text, vision] = ['syn:large:text', 'syn:large:vision']
const image = { type: 'image_url', image_url: { url: 'https://a.example/1' } }
const messages = [{ role: 'user', content: [image] }]

const lists: [title: string, list: Json, alias: string][] = [
  ['the list of today', liveReply('autumn-models'), text],
  ['the list of a month ago', liveReply('models'), vision],
  ['unknown rows', { data: [{ id: 'hf:org/x' }, { id: text, modalities: 7 }] }, vision],
  [
    'the row of the model behind the alias',
    [
      { id: text, hugging_face_id: 'o/x' },
      { id: 'hf:o/x', features: [] },
    ],
    vision,
  ],
  [
    'the same, which takes images',
    [
      { id: text, hugging_face_id: 'o/x' },
      { id: 'hf:o/x', input_modalities: ['text', 'image'] },
    ],
    text,
  ],
  ['no list', { error: 'not found' }, vision],
]

describe.each(lists)('%s', (_title, list, alias) => {
  test('decides', () => {
    expect(aliasFor({ messages }, decodeModels(list))).toBe(alias)
    expect(aliasFor({ messages: [{ role: 'user', content: 'hi' }] }, decodeModels(list))).toBe(text)
  })

  test('is fetched once for a pipe, and then stored', async () => {
    await using service = await startService((asked, response) =>
      (asked.path.endsWith('/models') ? json(list) : events(chatAnswer(['Hi'])))(asked, response),
    )
    const env = { ...service.env, HOME: emptyFolder() }
    for (const _run of [1, 2]) await runSyn(['chat', '-i', 'https://a.example/1', 'What is it?'], { env })
    const [first, ...others] = service.asked.map(({ path }) => path)
    expect(first).toBe('/openai/v1/models')
    const isStored = decodeModels(list).length > 0
    expect(others).toHaveLength(isStored ? 2 : 3)
    expect(service.asked.at(-1)?.json).toMatchObject({ model: alias })
  })

  test('is read for a batch', async () => {
    await using service = await startService((asked, response) =>
      (asked.path.endsWith('/models') ? json(list) : events(chatAnswer(['Hi'])))(asked, response),
    )
    const folder = emptyFolder()
    const input = join(folder, 'in.jsonl')
    writeFileSync(input, [{ messages }, { prompt: 'hi' }].map((row) => `${JSON.stringify(row)}\n`).join(''))
    const env = { ...service.env, HOME: folder }
    expect(await runSyn(['batch', input, '-o', join(folder, 'out.jsonl')], { env })).toMatchObject({ code: 0 })
    const sent = service.asked.flatMap(({ json: body }) =>
      body === undefined ? [] : [(body as { model: string }).model],
    )
    expect(sent.toSorted()).toEqual([alias, text].toSorted())
  })
})

test('in the chat too', async () => {
  const list = json(liveReply('autumn-models'))
  await using chat = await openChat([list, events(chatAnswer(['A boat.'])), list])
  await chat.enter('/image https://a.example/1')
  await chat.enter('What is it?')
  expect(chat.sent()[0]).toMatchObject({ model: text })
})
