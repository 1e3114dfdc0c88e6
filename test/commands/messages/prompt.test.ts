/** The user message (section 2.4) from words, files, images and standard input. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AskingOptions } from '../../helpers/asking.ts'
import { acceptedImages } from '../../helpers/images.ts'
import { refusalOf, sentBy } from '../../helpers/messages.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const folder = emptyFolder()
const png = join(folder, 'shot.png')
const jpeg = join(folder, 'photo.jpg')
writeFileSync(png, acceptedImages['shot.png'] as Buffer)
writeFileSync(jpeg, acceptedImages['photo.jpg'] as Buffer)
const code = join(folder, 'a.py')
writeFileSync(code, 'print("a")\n')

function image(name: string, mediaType: string): object {
  const data = acceptedImages[name]?.toString('base64')
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } }
}

const text = { type: 'text', text: 'What is this?' }
const address = { type: 'image', source: { type: 'url', url: 'https://a.example/1' } }

test.each<[argv: string[], options: AskingOptions, content: unknown]>([
  [['Say', 'hello'], {}, 'Say hello'],
  [['-f', code, 'Explain'], {}, `Explain\n\n${code}:\n\`\`\`py\nprint("a")\n\`\`\``],
  [
    ['-i', jpeg, '-i', png, 'What is this?'],
    {},
    [text, image('photo.jpg', 'image/jpeg'), image('shot.png', 'image/png')],
  ],
  [
    ['-i', '-', 'What is this?'],
    { stdin: acceptedImages['shot.png'] as Buffer },
    [text, image('shot.png', 'image/png')],
  ],
])('%j', async (argv, options, content) => {
  expect((await sentBy(argv, options)).messages).toEqual([{ role: 'user', content }])
})

describe('the default model', () => {
  const seen = JSON.stringify({ role: 'user', content: [address] })
  test.each<[argv: string[], options: AskingOptions, model: string]>([
    [['--messages', '-', 'hi'], { stdin: seen }, 'syn:large:vision'],
    [['--body', '-', 'hi'], { stdin: `{"messages":[${seen}]}` }, 'syn:large:vision'],
    [['-i', png, '-m', 'hf:org/flag', 'hi'], {}, 'hf:org/flag'],
  ])('of %j is %s', async (argv, options, model) => {
    expect((await sentBy(argv, options)).model).toBe(model)
  })
})

test('no prompt is refused', async () => {
  expect(await refusalOf([])).toBe(
    'no prompt: give it as arguments or on standard input (for example: syn messages "Say hello in three languages")',
  )
})
