/** What a list of 3,000 stored conversations costs. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { logText } from '../helpers/conversations.ts'
import { compare, type Entrant, type Figure, type Setting } from './figures.ts'
import { prints, type Program } from './measure.ts'
import { tokensFrom } from './replies.ts'

const listed = Array.from({ length: 3000 }, (_, number) => idOf(number))

export function measureConversations(setting: Setting): Promise<Figure[]> {
  const { node, syn } = setting
  const base: Entrant = {
    id: 'conversations/node',
    label: 'node -e 0',
    command: [node, '-e', '0'],
    problem: prints(''),
    peak: true,
  }
  const list: Entrant = {
    id: 'conversations/list',
    label: 'syn sessions, 3,000 of them',
    command: [node, syn, 'sessions'],
    env: { XDG_DATA_HOME: dataFolder(setting) },
    problem: listsAll,
    peak: true,
  }
  return compare(base, [list], setting)
}

/** `20261121-000017-000017` */
function idOf(number: number): string {
  const digits = String(number).padStart(6, '0')
  return `20261121-${digits}-${digits}`
}

/** @returns the XDG_DATA_HOME with conversations of two turns. */
function dataFolder({ folder }: Setting): string {
  const data = join(folder, 'data')
  const path = join(data, 'syn', 'conversations')
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const answer = tokensFrom(0, 100).join('')
  const turns = [1, 2].map((number): [string, string] => [`Question ${number}`, answer])
  for (const id of listed) {
    const text = logText({ id, turns }, '2026-11-21T10:00:00.000Z', () => [])
    writeFileSync(join(path, `${id}.jsonl`), text, { mode: 0o600 })
  }
  return data
}

const listsAll: Program['problem'] = (output) => {
  const lines = output.toString('utf8').trimEnd().split('\n')
  const missing = listed.filter((id) => !lines.some((line) => line.includes(id)))
  return missing.length === 0 ? undefined : `lists ${lines.length} lines, without ${missing.length} conversations`
}
