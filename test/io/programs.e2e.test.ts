/** The programs of the desktop that are started on each platform: the editor, and those of the clipboard. */

import { chmodSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { readImage } from '../../src/input/image.ts'
import { copyToClipboard } from '../../src/io/process/clipboard.ts'
import { editText, runEditor } from '../../src/io/process/editor.ts'
import type { Io } from '../../src/io/io.ts'
import { realPng } from '../helpers/images.ts'
import { quoted } from '../helpers/program.ts'
import { emptyFolder, testIo, unreadInput } from '../helpers/run-syn.ts'

/** A folder with a program. */
function folderWith(name: string, script: string): string {
  const folder = emptyFolder()
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return folder
}

function ioOn(platform: NodeJS.Platform, folder: string, env = {}): Io & { readonly written: string[] } {
  const written: string[] = []
  const write = async (text: string | Uint8Array): Promise<void> => void written.push(text.toString())
  const sink = { isTerminal: false as const, columns: () => 80, write }
  const path = { PATH: `${folder}${delimiter}${process.env.PATH}` }
  const io = testIo({ in: unreadInput('terminal'), out: sink, err: sink, env: { ...path, ...env }, platform })
  return { ...io, written }
}

test.each<[platform: NodeJS.Platform, editor: string]>([
  ['linux', 'vi'],
  ['darwin', 'vi'],
  ['win32', 'notepad'],
])('the default editor on %s is %s', async (platform, editor) => {
  const file = join(emptyFolder(), 'a file & more')
  expect(await runEditor(file, ioOn(platform, folderWith(editor, `printf %s "$1" > "$1"`)))).toBeUndefined()
  expect(readFileSync(file, 'utf8')).toBe(file)
})

test('line ends of Windows that an editor saves are those of the text', async () => {
  const folder = folderWith('edit', String.raw`printf 'one\r\n\r\ntwo\r\n' > "$1"`)
  expect(await editText('', ioOn('win32', folder, { EDITOR: 'edit' }))).toEqual({ text: 'one\n\ntwo' })
})

test('/copy uses pbcopy on macOS only, and asks the terminal elsewhere', async () => {
  const copied = join(emptyFolder(), 'copied')
  const copy = async (platform: NodeJS.Platform): Promise<[how: string, written: string[]]> => {
    const io = ioOn(platform, folderWith('pbcopy', `cat > ${quoted(copied)}`))
    return [await copyToClipboard('text', io, new AbortController().signal), io.written]
  }
  expect(await copy('darwin')).toEqual(['with pbcopy', []])
  expect(readFileSync(copied, 'utf8')).toBe('text')
  const how = 'by OSC 52, if the terminal allows clipboard access'
  expect(await copy('win32')).toEqual([how, ['\u001b]52;c;dGV4dA==\u0007']])
})

const displays = { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' }

test.each<[platform: NodeJS.Platform, env: Record<string, string>, program: string, argv: RegExp]>([
  ['linux', displays, 'wl-paste', /^--type image\/png$/],
  ['linux', displays, 'xclip', /^-selection clipboard -o -t image\/png$/],
  ['linux', { ...displays, WSL_DISTRO_NAME: 'Ubuntu' }, 'powershell.exe', /^-NoProfile -Command \$i = Get-Clipboard /],
  ['linux', { ...displays, WSL_DISTRO_NAME: 'Ubuntu' }, 'wl-paste', /^--type image\/png$/],
  ['darwin', {}, 'pngpaste', /^-$/],
  ['win32', {}, 'powershell.exe', /OpenStandardOutput\(\)\)$/],
])('an image from the clipboard on %s with %o, where %s is installed', async (platform, env, program, argv) => {
  const [image, given] = [join(emptyFolder(), 'image'), join(emptyFolder(), 'argv')]
  writeFileSync(image, realPng)
  const folder = folderWith(program, `printf %s "$*" > ${quoted(given)}; cat ${quoted(image)}`)
  symlinkSync('/bin/cat', join(folder, 'cat'))
  const io = ioOn(platform, folder, { ...env, PATH: folder })
  expect(await readImage('clipboard', io)).toBe(`data:image/png;base64,${realPng.toString('base64')}`)
  expect(readFileSync(given, 'utf8')).toMatch(argv)
})
