/** The path of a file alone, as terminals paste it for a file that is dropped on them. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { chat as family } from '../helpers/families.ts'
import { realPng, refusedImages } from '../helpers/images.ts'
import { openChat, type InteractiveChat } from '../helpers/interactive-chat.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { widths } from '../helpers/samples.ts'

const hello = family.streamed('Hello')
const { conversation, user, userWithImage } = family

function home(): string {
  const path = emptyFolder()
  writeFileSync(join(path, "it's a photo.png"), realPng)
  writeFileSync(join(path, 'notes.txt'), 'remember')
  for (const [name, bytes] of Object.entries(refusedImages)) writeFileSync(join(path, name), bytes)
  return path
}

async function drop(path: string, chat: InteractiveChat): Promise<void> {
  chat.screen.type(`\u001b[200~${path}\u001b[201~`)
  chat.screen.type('\r')
  await chat.screen.until((lines) => lines.at(-1) === '[y/n]')
}

describe.each(widths)('at %d columns', (columns) => {
  test.each<[title: string, typed: (path: string) => string]>([
    ['with backslashes', (path) => path.replaceAll(/[ ']/g, String.raw`\$&`)],
    ['with a space at the end', (path) => `${path.replaceAll(/[ ']/g, String.raw`\$&`)} `],
    ['in single quotes', (path) => `'${path.replaceAll("'", String.raw`'\''`)}'`],
    ['in double quotes', (path) => `"${path}"`],
    ['as a file URL', (path) => pathToFileURL(path).href],
    ['from home', () => "~/it's a photo.png"],
    ['from here', () => "./it's a photo.png"],
  ])('%s: is attached', async (_title, typed) => {
    const folder = home()
    const options = { columns, folder, env: { HOME: folder } }
    await using chat = await openChat([hello], options)
    await drop(typed(join(folder, "it's a photo.png")), chat)
    expect(chat.screen.lines().join(' ')).toContain("attach it's a photo.png?")
    expect(chat.sent()).toEqual([])
    chat.screen.type('y')
    await chat.screen.until((lines) => /^\[it's a pho.*\] ›$/.test(lines.at(-1) ?? ''))
    await chat.enter('what is it?')
    expect(chat.sent()).toMatchObject([conversation({ messages: [userWithImage('what is it?', realPng)] })])
  })

  test('a text file is attached as text', async () => {
    const folder = home()
    await using chat = await openChat([hello], { columns, folder })
    await drop('./notes.txt', chat)
    chat.screen.type('y')
    await chat.screen.until((lines) => lines.at(-1) === '[notes.txt] ›')
    await chat.enter('sum up')
    const sent = user('sum up\n\n./notes.txt:\n```txt\nremember\n```')
    expect(chat.sent()).toMatchObject([conversation({ messages: [sent] })])
  })

  test('n sends the path as the message', async () => {
    const folder = home()
    await using chat = await openChat([hello], { columns, folder })
    await drop('./notes.txt', chat)
    chat.screen.type('n')
    await chat.screen.until((lines) => lines.includes('Hello') && lines.at(-1) === '›')
    expect(chat.sent()).toMatchObject([conversation({ messages: [user('./notes.txt')] })])
  })

  test.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
    ['Esc', '\u001b'],
    ['Enter', '\r'],
  ])('%s returns the path to the line', async (_key, sequence) => {
    const folder = home()
    await using chat = await openChat([hello], { columns, folder })
    await drop('./notes.txt', chat)
    chat.screen.type(sequence)
    await chat.screen.until((lines) => lines.at(-1) === '› ./notes.txt')
    expect(chat.sent()).toEqual([])
  })

  test('a file that cannot be attached returns its path to the line', async () => {
    const folder = home()
    await using chat = await openChat([hello], { columns, folder })
    await drop('./phone.heic', chat)
    chat.screen.type('y')
    await chat.screen.until((lines) => lines.at(-1) === '› ./phone.heic')
    expect(chat.screen.lines().join(' ')).toContain('phone.heic is a HEIC image; expected')
    expect(chat.sent()).toEqual([])
  })
})

test('a folder, a missing file, and two slashes are no dropped file', async () => {
  const folder = home()
  await using chat = await openChat([hello], { folder, env: { HOME: folder } })
  for (const text of ['./', '~/missing.txt', `/${join(folder, 'notes.txt')}`]) await chat.enter(text)
  const sent = chat.sent().map(({ messages }) => messages.at(-1)?.content)
  expect(sent).toEqual(['./', '~/missing.txt', join(folder, 'notes.txt')])
})
