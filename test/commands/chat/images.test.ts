/** Images: their sources, their format in the request, and which are refused. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { promptSentBy, refusalOf, sentBy } from '../../helpers/chat.ts'
import { acceptedImages, refusedImages } from '../../helpers/images.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'
import { chatAnswer, events, json, startService } from '../../helpers/service.ts'

const folder = emptyFolder()
for (const [name, bytes] of Object.entries({ ...acceptedImages, ...refusedImages })) {
  writeFileSync(join(folder, name), bytes)
}
writeFileSync(join(folder, 'empty.png'), '')
writeFileSync(join(folder, 'notes.png'), 'not an image at all')
const png = acceptedImages['shot.png']?.toString('base64') ?? ''

function part(url: string): object {
  return { type: 'image_url', image_url: { url } }
}

test.each([
  ['photo.jpg', 'image/jpeg'],
  ['shot.png', 'image/png'],
  ['anim.gif', 'image/gif'],
  ['old.gif', 'image/gif'],
  ['pic.webp', 'image/webp'],
  ['scan.tiff', 'image/tiff'],
  ['scan.tif', 'image/tiff'],
])('the type of a file is detected from its first bytes: %s as %s', async (name, format) => {
  const data = acceptedImages[name]?.toString('base64')
  expect(await promptSentBy(['-i', join(folder, name), 'What', 'is', 'this?'])).toEqual([
    { type: 'text', text: 'What is this?' },
    part(`data:${format};base64,${data}`),
  ])
})

test.each(['https://example.com/cat.png?size=2', 'HTTP://example.com/cat', `data:image/png;base64,${png}`])(
  'a URL is sent unchanged: %s',
  async (address) => {
    expect(await promptSentBy(['--image', address, 'hi'])).toEqual([{ type: 'text', text: 'hi' }, part(address)])
  },
)

describe('the model', () => {
  const conversation = join(folder, 'seen.jsonl')
  writeFileSync(conversation, JSON.stringify({ role: 'user', content: [part('https://a.example/1')] }))
  const image = ['-i', 'https://a.example/1', 'hi']
  test.each<[argv: string[], env: Record<string, string>, model: string]>([
    [image, {}, 'syn:large:vision'],
    [['--messages', conversation, 'hi'], {}, 'syn:large:vision'],
    [image, { SYN_MODEL: 'hf:org/named' }, 'hf:org/named'],
    [[...image, '-p', 'model=hf:org/param'], { SYN_MODEL: 'hf:org/named' }, 'hf:org/param'],
  ])('of %j with %j is %s', async (argv, env, model) => {
    expect((await sentBy(argv, { env })).model).toBe(model)
  })
})

describe('is refused', () => {
  const accepted = 'expected JPEG, PNG, GIF, WebP or TIFF'
  const expectedFormat = '--image: invalid data URL; expected data:FORMAT;base64,DATA'
  test.each<[source: string, refusal: string]>([
    ['FOLDER/bitmap.bmp', `--image: FOLDER/bitmap.bmp is a BMP image; ${accepted}`],
    ['FOLDER/phone.heic', `--image: FOLDER/phone.heic is a HEIC image; ${accepted}`],
    ['FOLDER/web.avif', `--image: FOLDER/web.avif is an AVIF image; ${accepted}`],
    ['FOLDER/drawing.svg', `--image: FOLDER/drawing.svg is an SVG image; ${accepted}`],
    ['FOLDER/paper.pdf', `--image: FOLDER/paper.pdf is a PDF document; ${accepted}`],
    ['FOLDER/notes.png', `--image: FOLDER/notes.png is not an image; ${accepted}`],
    ['FOLDER/empty.png', '--image: FOLDER/empty.png is empty'],
    ['FOLDER/missing.png', '--image: cannot read FOLDER/missing.png: no such file'],
    ['data:image/bmp;base64,Qk0=', `--image: the data URL has the format image/bmp; ${accepted}`],
    ['data:;base64,Qk0=', `--image: the data URL has no format; ${accepted}`],
    ['data:image/png;base64,a b', expectedFormat],
  ])('%s', async (source, refusal) => {
    const message = await refusalOf(['-i', source.replace('FOLDER', folder), 'hi'])
    expect(message.replaceAll(folder, 'FOLDER')).toBe(refusal)
  })

  test('an empty standard input', async () => {
    expect(await refusalOf(['-i', '-', 'hi'], { stdin: '' })).toBe('--image: standard input is empty')
  })
})

describe('with a stored list of models', () => {
  const text = { id: 'hf:a/text', input_modalities: ['text'] }
  const vision = { id: 'hf:a/vision', input_modalities: ['text', 'image'] }
  const alias = { id: 'syn:small:text', hugging_face_id: 'a/text' }

  test.each<[model: string, lists: object[][], code: number]>([
    ['hf:a/text', [[text, alias]], 2],
    ['syn:small:text', [[text, alias]], 2],
    ['syn:large:vision', [[text, vision]], 0],
    // The model has changed since the list was stored.
    ['hf:a/text', [[text], [{ ...text, input_modalities: ['text', 'image'] }]], 0],
  ])('%s of %j, for an image of this message or an earlier one: exit %i', async (model, lists, code) => {
    let listed = 0
    await using service = await startService((asked, response) => {
      const list = { data: lists[Math.min(listed++, lists.length - 1)] ?? [] }
      return (asked.path.endsWith('/models') ? json(list) : events(chatAnswer(['Hello'])))(asked, response)
    })
    const env = { ...service.env, HOME: emptyFolder() }
    await runSyn(['chat', '--save', '-i', 'https://a.example/1', 'hi'], { env })
    await runSyn(['models', '--ids'], { env })
    const err = `syn: ${model} takes no images, and the request has some\nhint: each request has the images of the whole conversation. Use -m syn:large:vision\n`
    for (const line of ['chat -c', 'chat -i https://a.example/1']) {
      const argv = [...line.split(' '), '-m', model, 'hi']
      expect(await runSyn(argv, { env })).toMatchObject({ code, err: code === 2 ? err : '' })
    }
    const sent = service.asked.filter(({ method }) => method === 'POST').length
    expect(sent).toBe(code === 2 ? 1 : 3)
  })
})
