/** Whatever a file of the program contains, commands read it, or report it in one line and leave it as it is. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonOf } from '../helpers/random-json.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { samples } from '../helpers/samples.ts'

const settings =
  'profile profiles default work base-url api-key key-command model embed-model color theme save timeout retries never ' +
  'https://api.example sk-1234567890 hf:a/b true false null'
const conversation =
  'type conversation version id at name turn parent instead system messages role user assistant content answer model ' +
  'part deltas delta index text reasoning tool call arguments end choices message finish_reason usage error head node ' +
  't1 a1 2026-11-21T10:15:00.000Z'

const bytes = fc.uint8Array({ maxLength: 40 }).map((all) => Buffer.from(all))

/** A document, or one with an end of a write that was cut off. */
function document(value: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  return fc
    .tuple(value, fc.option(fc.nat(200)))
    .map(([one, end]) => Buffer.from(JSON.stringify(one)).subarray(0, end ?? undefined))
}

const lines = fc
  .array(
    fc.oneof(
      document(fc.dictionary(fc.constantFrom('type', 'id', 'at'), jsonOf(conversation))),
      document(entry()),
      bytes,
    ),
    {
      maxLength: 6,
    },
  )
  .map((all) => Buffer.concat(all.flatMap((line) => [line, Buffer.from('\n')])))

/** An entry of a conversation with any values. */
function entry(): fc.Arbitrary<unknown> {
  const value = jsonOf(conversation)
  const values = { id: value, at: value, parent: value, messages: value, answer: value, deltas: value, choices: value }
  const type = fc.constantFrom('conversation', 'name', 'turn', 'answer', 'part', 'end', 'head')
  return fc.record({ type, version: fc.constant(1), node: value, name: value, ...values }, { requiredKeys: ['type'] })
}

const id = '20261121-101500-aaaaaa'

test.each<[name: string, path: string, content: fc.Arbitrary<Buffer>, commands: string[][]]>([
  [
    'config file',
    '.config/syn/config.json',
    fc.oneof(
      document(
        fc.record({ profiles: fc.dictionary(fc.constant('default'), jsonOf(settings)), profile: jsonOf(settings) }),
      ),
      document(jsonOf(settings)),
      bytes,
    ),
    [
      ['config', 'list'],
      ['config', 'list', '--json'],
      ['config', 'get', 'model'],
      ['chat', 'hi', '--dry-run'],
    ],
  ],
  [
    'conversation',
    `.local/share/syn/conversations/${id}.jsonl`,
    lines,
    [
      ['sessions'],
      ['sessions', '--json'],
      ['sessions', 'show', id],
      ['sessions', 'show', id, '--all'],
      ['sessions', 'show', id, '--json'],
      ['sessions', 'export', id],
      ['sessions', 'search', 'text'],
      ['chat', '--session', id, 'hi', '--dry-run'],
    ],
  ],
])('any %s', async (_name, file, content, commands) => {
  const home = emptyFolder()
  const path = join(home, file)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const property = fc.asyncProperty(
    content,
    fc.constantFrom(...commands),
    fc.boolean(),
    async (text, argv, isTerminal) => {
      writeFileSync(path, text, { mode: 0o600 })
      const { code, err } = await runSyn(argv, { env: { HOME: home }, isTerminal })
      expect(err).not.toContain('internal error')
      expect([0, 1, 2], err).toContain(code)
      if (code > 0) expect(err).toMatch(/^syn: /m)
      expect(readFileSync(path)).toEqual(text)
    },
  )
  await fc.assert(property, samples(30))
})
