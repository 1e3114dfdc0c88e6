/** What is offered: only what is named. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createContext } from '../../src/context.ts'
import { Secrets } from '../../src/io/secrets.ts'
import { openTools, type OpenTools } from '../../src/tools/open-tools.ts'
import { emptyFolder, testIo, unreadInput } from '../helpers/run-syn.ts'

const sink = { isTerminal: false, columns: () => 80, write: () => Promise.resolve() } as const

async function open(asked: string[], allowed: string[], tools: object): Promise<OpenTools> {
  const file = join(emptyFolder(), 'tools.json')
  writeFileSync(file, JSON.stringify({ tools }))
  const io = testIo({ in: unreadInput(), out: sink, err: sink, env: {} })
  const context = await createContext({}, { words: [], argv: [], typed: new Map() }, io, new Secrets())
  return openTools({ tool: asked, allow: allowed, toolsFile: file }, context)
}

const tools = { one: { command: ['echo', '1'] }, two: { command: ['echo', '2'] }, three: { command: ['false'] } }

test('each name once, and what is allowed by name', async () => {
  const opened = await open(['one', 'one'], ['two', 'one', 'search'], tools)
  expect(opened.tools.map(({ name }) => name)).toEqual(['one', 'two', 'search'])
  expect(opened.tools.map(({ approvedBy }) => approvedBy)).toEqual(['option', 'option', 'option'])
  const added = await opened.add('three')
  expect(added.map((tool) => [tool.label, tool.approvedBy])).toEqual([['three', undefined]])
  expect(await opened.tools[0]?.call({}, new AbortController().signal)).toEqual({ text: '1\n', isError: false })
  await expect(opened.add('four')).rejects.toThrow('no tool or server "four"')
  expect(opened.tools).toHaveLength(4)
})
