/** The paths of files alone, as terminals paste them for files that are dropped on them. */

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

  const escaped = (path: string): string => path.replaceAll(/[ ']/g, String.raw`\$&`)
  const quoted = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`
  test.each<[title: string, typed: (paths: string[]) => string]>([
    ['with backslashes', (paths) => `${paths.map(escaped).join(' ')} `],
    ['with backslashes before spaces only', (paths) => paths.map((path) => path.replaceAll(' ', '\\ ')).join(' ')],
    ['in single quotes', (paths) => paths.map(quoted).join(' ')],
    ['in double quotes', (paths) => paths.map((path) => `"${path}"`).join(' ')],
    ['as file URLs', (paths) => paths.map((path) => `${pathToFileURL(path).href}\n`).join('')],
    ['line by line', (paths) => paths.join('\n')],
    ['as they are', (paths) => paths.join(' ')],
    ['one of them twice', ([one = '', other = '']) => `${quoted(one)} ${quoted(other)} ${quoted(one)}`],
  ])('two %s are attached', async (_title, typed) => {
    const folder = home()
    await using chat = await openChat([hello], { columns, folder })
    await drop(typed(["it's a photo.png", 'notes.txt'].map((name) => join(folder, name))), chat)
    expect(chat.screen.lines().join(' ')).toContain("attach it's a photo.png and notes.txt?")
    chat.screen.type('y')
    await chat.screen.until((lines) => /^\[it's a pho.* \+1\] ›$/.test(lines.at(-1) ?? ''))
    await chat.enter('what is it?')
    const [content] = chat.sent().map(({ messages }) => JSON.stringify(messages.at(-1)?.content))
    expect(content).toContain(realPng.toString('base64'))
    expect(content).toContain('remember')
  })

  test('of several, one that cannot be attached is named, and none is attached', async () => {
    const folder = home()
    await using chat = await openChat([hello], { columns, folder })
    await drop("./notes.txt ./phone.heic ./it's a photo.png", chat)
    expect(chat.screen.lines().join(' ')).toContain('attach 3 files (notes.txt, …)?')
    chat.screen.type('y')
    await chat.screen.until((lines) => lines.filter((line) => line.startsWith('› ./notes.txt')).length === 2)
    const shown = chat.screen.lines().join(' ')
    expect(shown).toContain('phone.heic is a HEIC image; expected')
    expect(shown).toContain('none of the 3 files is attached')
    expect(chat.sent()).toEqual([])
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

test('a folder, a missing file, a word, and two slashes are no dropped files', async () => {
  const folder = home()
  await using chat = await openChat([hello], { folder, env: { HOME: folder } })
  const others = ['./', '~/missing.txt', './notes.txt ./', './notes.txt is short', './notes.txt ./missing.txt']
  for (const text of [...others, `/${join(folder, 'notes.txt')}`]) await chat.enter(text)
  const sent = chat.sent().map(({ messages }) => messages.at(-1)?.content)
  expect(sent).toEqual([...others, join(folder, 'notes.txt')])
})
