/** A request above 10 MiB that is refused: the hint names its size. Smaller ones, and other refusals, have other reasons. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realPng } from '../helpers/images.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { json, startService } from '../helpers/service.ts'

const mebibyte = 1024 * 1024
const words = 'Could not parse request as valid JSON. Unterminated string in JSON at position 10485760'
const size = /hint: the request has 1\d(\.\d+)? MiB, and the service may read only 10 MiB: /

test.each<[what: string, mebibytes: number, image: boolean, status: number, hint: string | undefined]>([
  ['text', 11, false, 400, 'send less text'],
  ['images', 8, true, 400, 'send a smaller image'],
  ['less', 2, false, 400, undefined],
  ['another refusal', 11, false, 422, undefined],
])('%s of %i MiB', async (_what, mebibytes, isImage, status, hint) => {
  await using service = await startService(json({ error: words }, status))
  const file = join(emptyFolder(), 'large')
  const bytes = Buffer.alloc(mebibytes * mebibyte, 'word ')
  writeFileSync(file, isImage ? Buffer.concat([realPng, bytes]) : bytes)
  const argv = ['chat', '-m', 'hf:a/b', isImage ? '-i' : '-f', file, 'hi']
  const { code, err } = await runSyn(argv, { env: service.env })
  expect(code).toBe(1)
  expect(err).toContain(words)
  if (hint === undefined) expect(err).not.toContain('MiB')
  else {
    expect(err).toMatch(size)
    expect(err).toContain(hint)
  }
})

test('images that are too large are told of before they are sent', async () => {
  const file = join(emptyFolder(), 'large.png')
  writeFileSync(file, Buffer.concat([realPng, Buffer.alloc(8 * mebibyte)]))
  const { code, err } = await runSyn(['chat', '-m', 'hf:a/b', '-i', file, '--dry-run', 'hi'])
  expect(code).toBe(0)
  expect(err).toMatch(/^syn: the request has 10\.67 MiB, and the service may read only 10 MiB: send a smaller image$/m)
})

test('a row of a batch says it in the errors file', async () => {
  await using service = await startService(json({ error: words }, 400))
  const folder = emptyFolder()
  const [rows, output] = [join(folder, 'rows.jsonl'), join(folder, 'out.jsonl')]
  writeFileSync(rows, JSON.stringify({ prompt: 'word '.repeat(2.2 * mebibyte) }))
  const { code } = await runSyn(['batch', '-m', 'hf:a/b', rows, '-o', output], { env: service.env })
  expect(code).toBe(1)
  expect(readFileSync(join(folder, 'out.errors.jsonl'), 'utf8')).toMatch(
    /the request has 11(\.\d+)? MiB, .*: send less text/,
  )
})
