/** `syn sessions show --all` and `export --all`: what was undone, and other branches. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { conversationsFolder, sessions } from '../../helpers/conversations.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'

const id = '20261121-090000-aaaaaa'
const at = '2026-11-21T10:00:00.000Z'

const asked = (id: string, parent?: string): object[] => {
  return [{ type: 'turn', at, id, parent, messages: [{ role: 'user', content: `${id}?` }] }]
}

const answered = (id: string, parent: string, ...contents: string[]): object[] => {
  const choices = contents.map((content, index) => ({
    index,
    message: { role: 'assistant', content },
    finish_reason: null,
  }))
  return [
    { type: 'answer', at, id, parent, model: 'hf:one' },
    { type: 'end', at, answer: id, choices, ...(contents.length === 0 && { error: 'busy' }) },
  ]
}

const backTo = (node?: string): object[] => [{ type: 'head', at, node }]

function homeWith(...entries: object[][]): string {
  const home = emptyFolder()
  mkdirSync(conversationsFolder(home), { recursive: true })
  const lines = entries.flat().map((entry) => `${JSON.stringify(entry)}\n`)
  writeFileSync(join(conversationsFolder(home), `${id}.jsonl`), lines.join(''))
  return home
}

/** One line per turn, with its label in brackets. */
async function shownLines(home: string, ...argv: string[]): Promise<string[]> {
  const { out } = await sessions(home, ['show', id, ...argv])
  return out
    .trimEnd()
    .split('\n\n')
    .map((one) => one.replace('\n', ': '))
}

const first = [asked('q1'), answered('a1', 'q1', 'one')]
const gone = [asked('q2', 'a1'), answered('a2', 'q2', 'two')]
const taken = [...first, ...gone, backTo('a1')]

describe('all turns in order, with labels', () => {
  test.each<[what: string, entries: object[][], lines: string[]]>([
    [
      'one of two branches undone',
      [...first, ...gone, asked('q3', 'a1'), answered('a3', 'q3', 'three'), backTo('a1')],
      [
        'User: q1?',
        'Assistant hf:one: one',
        'User [on another branch]: q2?',
        'Assistant hf:one [on another branch]: two',
        'User [on another branch]: q3?',
        'Assistant hf:one [on another branch]: three',
      ],
    ],
    [
      'asked in vain, then again',
      [asked('q1'), answered('a1', 'q1'), answered('a2', 'q1', 'two')],
      ['User: q1?', 'Assistant hf:one: [incomplete: busy]', 'Assistant hf:one: two'],
    ],
    [
      'several choices',
      [asked('q1'), answered('a1', 'q1', 'one', 'uno')],
      ['User: q1?', 'Assistant hf:one: one', 'Assistant hf:one [another choice]: uno'],
    ],
  ])('%s', async (_what, entries, lines) => {
    expect(await shownLines(homeWith(...entries), '--all')).toEqual(lines)
  })
})

test('in Markdown the labels are in the headings', async () => {
  const { out } = await sessions(homeWith(...taken), ['export', id, '--all'])
  expect(out).toContain('## User (on another branch)\n\nq2?\n\n## Assistant (on another branch)\n\ntwo\n')
})

test('without --all a notice says what is not shown', async () => {
  const one = 'syn: 1 answer is not shown (undone or on another branch); use --all to show it\n'
  expect((await sessions(homeWith(...taken), ['show', id])).err).toBe(one)
  const home = homeWith(...taken, asked('q3', 'a1'), answered('a3', 'q3', 'three'), backTo('a1'))
  expect(await sessions(home, ['show', id])).toEqual({
    code: 0,
    out: 'User\nq1?\n\nAssistant hf:one\none\n',
    err: 'syn: 2 answers are not shown (undone or on another branch); use --all to show them\n',
  })
})

describe('in JSON: turns and answers with their position in the tree', () => {
  const home = homeWith(...first, ...gone, backTo('a1'), asked('q3', 'a1'), answered('a3', 'q3', 'three', 'trois'))
  const record = (type: string, id: string, parent: string | null, standing: string, ...contents: string[]): object => {
    const role = type === 'turn' ? 'user' : 'assistant'
    const messages = contents.map((content) => ({ role, content }))
    return { type, id, parent, at, standing, ...(type === 'answer' && { model: 'hf:one' }), messages }
  }
  const records = [
    record('turn', 'q1', null, 'current', 'q1?'),
    record('answer', 'a1', 'q1', 'current', 'one'),
    record('turn', 'q2', 'a1', 'on another branch', 'q2?'),
    record('answer', 'a2', 'q2', 'on another branch', 'two'),
    record('turn', 'q3', 'a1', 'current', 'q3?'),
    record('answer', 'a3', 'q3', 'current', 'three', 'trois'),
  ]

  test('of show and of export', async () => {
    expect(JSON.parse((await sessions(home, ['show', '--json', '--all', id])).out)).toEqual(records)
    const { out } = await sessions(home, ['export', '--format', 'jsonl', '--all', id])
    expect(JSON.parse(`[${out.trimEnd().replaceAll('\n', ',')}]`)).toEqual(records)
  })
})

describe('a notice if nothing is shown', () => {
  const takenBack = [asked('q1'), backTo()]

  test.each<[what: string, line: string, entries: object[][], out: string, notice: string]>([
    ['an empty file', 'show --json', [], '[]\n', `conversation ${id} is empty`],
    ['an empty file', 'export', [], `# ${id}\n`, `conversation ${id} is empty`],
    ['a question undone', 'show', takenBack, '', `everything in conversation ${id} was undone; use --all to show it`],
  ])('of %s: %s', async (_what, line, entries, out, notice) => {
    const outcome = await sessions(homeWith(...entries), [...line.split(' '), id])
    expect(outcome).toEqual({ code: 0, out, err: `syn: ${notice}\n` })
  })
})
