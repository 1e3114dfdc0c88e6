import { expect, test } from 'vitest'
import { overBounds, room } from './bounds.ts'
import type { Figure } from './figures.ts'
import type { Run } from './run.ts'
import { shortTable } from './short-table.ts'
import { tables } from './markdown-table.ts'

function runWith(...figures: Figure[]): Run {
  const machine = { cpu: 'Some CPU', cores: 2, system: 'linux x64' }
  return { syn: '1.2.3', node: '20.20.2', nodeMajor: 20, machine, date: '2026-11-22', figures }
}

const startup: Figure[] = [
  { id: 'startup/node', label: 'node -e 0', cpu: 40 },
  { id: 'startup/version', label: 'syn --version', cpu: 41, wall: 45.4, first: 44, base: 'node -e 0', ratio: 1.025 },
  { id: 'startup/chat-help', label: 'syn chat --help', cpu: 80, base: 'node -e 0', ratio: 3.5 },
]
const memory: Figure[] = [
  { id: 'stream-memory/long', label: 'syn chat, 2,000,000 events', cpu: 5000, peak: 110.4, ratio: 10, growth: 1.104 },
]
const delays: Figure[] = [{ id: 'delays/later', label: 'syn chat, later text', delay: 0.91, extra: 0.21 }]

test('a table for each group shows its columns, the bounds, and what exceeds them', () => {
  expect(tables(runWith(...startup, ...memory, ...delays))).toBe(`\
syn 1.2.3 on Node 20.20.2, Some CPU (2 cores), linux x64, 2026-11-22

Start-up         CPU time  ratio     wall  first output          bound
node -e 0         40.0 ms
syn --version     41.0 ms   1.02  45.4 ms       44.0 ms           1.05
syn chat --help   80.0 ms   3.50                         1.95 exceeded

Memory of a long answer     CPU time  ratio   memory  growth  bound
syn chat, 2,000,000 events   5000 ms  10.00  110 MiB    1.10   1.15

From the service's write to the program's    delay    extra    bound
syn chat, later text                       0.91 ms  0.21 ms  +0.3 ms
`)
})

test('the table of the README has a row for what was measured', () => {
  const ids = ['startup/version', 'startup/request', 'startup/request-openai', 'startup/request-llm']
  const all = ids.map((id, at): Figure => ({ id, label: id, wall: 1000 * at + 45.4, first: 100 * at + 56 }))
  expect(shortTable(runWith(...all))).toBe(`\
Node 20.20.2, 2 cores of Some CPU, 2026-11-22:

| from Enter | syn | \`openai\` SDK for Node | \`llm\` |
| --- | --- | --- | --- |
| to the end of \`syn --version\` | 0.045 s | – | – |
| to the first token of an answer | 0.16 s | 0.26 s | 0.36 s |
| to the end of a short answer | 1.0 s | 2.0 s | 3.0 s |
`)
})

test('a gate leaves room for noise, and knows the version of Node', () => {
  const figure = (ratio: number): Figure => ({ id: 'startup/request', label: 'syn chat hi', ratio })
  expect(overBounds([figure(2.9 * room)], 24)).toEqual([])
  const message = 'startup/request (syn chat hi): ratio 3.48, more than 2.9 and 20%'
  expect(overBounds([figure(2.9 * room + 0.001)], 24)).toEqual([message])
  expect(overBounds([figure(9)], 22)).toEqual([])
})
