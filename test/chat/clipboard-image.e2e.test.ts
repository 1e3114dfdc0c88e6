/** Images from the clipboard: the notice of each, the error if there is none, and two copies one after the other. */

import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chat as dialect } from '../helpers/dialects.ts'
import { acceptedImages, realPng } from '../helpers/images.ts'
import { openChat } from '../helpers/interactive-chat.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { wide } from '../helpers/terminal.ts'

/** A folder with xclip, and with the image that it prints. */
function withXclip(script = 'cat "${0%/*}/copied"') {
  const path = emptyFolder()
  symlinkSync('/bin/cat', join(path, 'cat'))
  symlinkSync('/bin/sleep', join(path, 'sleep'))
  writeFileSync(join(path, 'xclip'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(path, 'xclip'), 0o755)
  const copy = (image: Buffer | string): void => writeFileSync(join(path, 'copied'), image)
  copy(realPng)
  return { copy, env: { PATH: path, DISPLAY: ':0', WAYLAND_DISPLAY: '', WSL_DISTRO_NAME: '' } }
}

const shot = acceptedImages['shot.png'] ?? realPng
const hang = 'kill -STOP $$'
const hint = 'hint: copy the image itself, or give the path of its file; it is read with xclip, wl-paste or pngpaste\n'
const part = (image: Buffer): object => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${image.toString('base64')}` },
})

test.each(['chat', 'messages', 'count-tokens'])('%s -i clipboard says what was read', async (command) => {
  const { env } = withXclip()
  const { code, err } = await runSyn([command, '--sandbox', '-i', 'clipboard', 'hi'], { env })
  expect(code).toBe(0)
  expect(err).toContain('syn: image from the clipboard: PNG, 1x1, 1 kB\n')
})

test('a file of this name comes first', async () => {
  const { env } = withXclip()
  const path = emptyFolder()
  writeFileSync(join(path, 'clipboard'), shot)
  await using chat = await openChat([dialect.streamed('Hello')], { folder: path, env })
  await chat.enter('/image clipboard')
  await chat.enter('look')
  expect(chat.contents()).toEqual([[{ type: 'text', text: 'look' }, part(shot)]])
})

test.concurrent.each<[what: string, script: string, env: Record<string, string>, message: string]>([
  ['no display', '', { DISPLAY: '' }, 'no image from the clipboard: there is no display'],
  ['no program', '', { PATH: '/nonexistent' }, 'no image from the clipboard: cannot be run: xclip: no such file'],
  [
    'another content',
    'echo "Error: target image/png not available" >&2; exit 1',
    {},
    'no image from the clipboard: Error: target image/png not available',
  ],
  ['no reason', 'exit 1', {}, 'no image from the clipboard: exited with status 1'],
  ['no answer', hang, {}, 'no image from the clipboard: no answer within 10 s'],
  ['too much', 'cat /dev/zero', {}, 'no image from the clipboard: sent more than 16 MiB'],
])('%s is exit 2 before any request', async (_what, script, env, message) => {
  const argv = ['chat', '--sandbox', '-i', 'clipboard', 'hi']
  const { code, out, err } = await runSyn(argv, { env: { ...withXclip(script).env, ...env } })
  expect({ code, out, err }).toEqual({ code: 2, out: '', err: `syn: --image: ${message}\n${hint}` })
})

test('a text, which xclip 0.13 returns for any type, is refused', async () => {
  const argv = ['chat', '--sandbox', '-i', 'clipboard', 'hi']
  const { code, err } = await runSyn(argv, { env: withXclip('echo text').env })
  expect(code).toBe(2)
  expect(err).toMatch(/^syn: --image: the content of the clipboard is not an image; expected JPEG, /)
})

test('/image clipboard attaches each image that is copied once, and the conversation has them', async () => {
  const { copy, env } = withXclip()
  await using chat = await openChat([dialect.streamed('Hello')], { columns: wide, env })
  await chat.enter('/image clipboard')
  expect(chat.textBelow('› /image')).toContain('image from the clipboard: PNG, 1x1, 1 kB')
  copy(shot)
  await chat.enter('/image clipboard')
  await chat.enter('/image clipboard')
  expect(chat.screen.lines().at(-1)).toBe('[clipboard +1] ›')
  copy('')
  await chat.enter('look')
  await chat.enter('and now?')
  const content = [{ type: 'text', text: 'look' }, part(realPng), part(shot)]
  expect(chat.sent().map(({ messages }) => messages[0]?.content)).toEqual([content, content])
})

test.each(['\u0003', '\u001b'])('%j stops a program that hangs', async (key) => {
  await using chat = await openChat([dialect.streamed('Hello')], { env: withXclip(hang).env })
  chat.screen.type('/image clipboard\r')
  await chat.screen.until((lines) => lines.some((line) => line.endsWith('reading clipboard')))
  chat.screen.type(key)
  await chat.screen.until((lines) => lines.at(-1) === '›' && lines.includes('stopped'))
})
