/** The history file. */

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { History, historyPath } from '../../../src/terminal/line-editor/history.ts'
import { emptyFile, emptyFolder } from '../../helpers/run-syn.ts'
import { expectMode } from '../../helpers/modes.ts'

function newHistoryPath(): string {
  return historyPath({ env: { HOME: emptyFolder() }, platform: 'linux' })
}

function fileWith(text: string): string {
  const path = newHistoryPath()
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

async function textsIn(path: string): Promise<readonly string[]> {
  return (await History.open(path)).texts
}

test('the next run has the texts that one run added, one that was sent again at the end', async () => {
  const path = newHistoryPath()
  const history = await History.open(path)
  for (const text of ['two\nlines', 'again', '日本 "q" \\', 'again']) history.add(text)
  await history.settled()
  expect(history.texts).toEqual(['two\nlines', '日本 "q" \\', 'again'])
  expect(await textsIn(path)).toEqual(history.texts)
  expectMode(path, '600')
})

test.each<[what: string, content: string, texts: string[]]>([
  ['lines that are not strings', '"a"\nnonsense\n{"b":1}\n7\n""\n\n"c"\n', ['a', 'c']],
  [
    'an @ as an escape, as earlier versions stored a pasted one',
    '"\\u0040a \\\\u0040"\n"@a \\\\u0040"\n',
    ['@a \\u0040'],
  ],
])('%s', async (_what, content, texts) => {
  expect(await textsIn(fileWith(content))).toEqual(texts)
})

test('only the line that was cut off is lost', async () => {
  const path = fileWith('"a"\n"b')
  const history = await History.open(path)
  history.add('c')
  await history.settled()
  expect(await textsIn(path)).toEqual(['a', 'c'])
})

test('several runs at once lose nothing', async () => {
  const path = newHistoryPath()
  const runs = await Promise.all(Array.from({ length: 4 }, () => History.open(path)))
  for (let number = 0; number < 50; number++) {
    for (const [index, run] of runs.entries()) run.add(`${index}:${number} ${'x'.repeat(500)}`)
  }
  await Promise.all(runs.map((run) => run.settled()))
  expect((await textsIn(path)).length).toBe(200)
})

test('a file that is too long is compacted to the newest texts', async () => {
  const path = fileWith(Array.from({ length: 2100 }, (_, index) => `"text ${index}"\n`).join(''))
  const texts = await textsIn(path)
  expect([texts.length, texts[0], texts.at(-1)]).toEqual([1000, 'text 1100', 'text 2099'])
  expect(readFileSync(path, 'utf8').split('\n').length).toBe(1001)
  expect(readdirSync(dirname(path))).toEqual(['history.jsonl'])
  expectMode(path, '600')
})

test.each([
  ['without a path', undefined],
  ['at a path that cannot be written', join(emptyFile(), 'history.jsonl')],
])('%s, it lasts as long as the run', async (_where, path) => {
  const history = await History.open(path)
  history.add('a')
  await history.settled()
  expect(history.texts).toEqual(['a'])
})
