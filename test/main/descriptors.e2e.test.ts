/** `-o` with the path of an open descriptor, such as `/dev/stdout`: what the redirected file has is kept. */

import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { end, streamed } from '../helpers/chat-chunks.ts'
import { environment, shell } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { startService } from '../helpers/service.ts'

/** Runs a line in a shell with a log that has content, and a link to standard output. @returns the log. */
async function logAfter(line: string): Promise<string> {
  await using service = await startService(streamed('OK', end()))
  const folder = emptyFolder()
  const [log, link] = [join(folder, 'log'), join(folder, 'link')]
  writeFileSync(log, 'before\n')
  symlinkSync('/dev/stdout', link)
  const { code, out, err } = await shell(line, { ...environment(service), log, link })
  expect({ code, out, err }).toEqual({ code: 0, out: '', err: '' })
  return readFileSync(log, 'utf8')
}

const appended: [path: string, redirection: string][] = [
  ['/dev/stdout', '>>'],
  ['"$link"', '>>'],
  ['/dev/fd/2', '2>>'],
]
test.each(appended)('-o %s %s log', async (path, redirection) => {
  expect(await logAfter(`syn chat -o ${path} hi ${redirection} "$log"`)).toBe('before\nOK\n')
})

const between: [path: string, redirection: string, descriptor: number][] = [
  ['/dev/stdout', '>', 1],
  ['/dev/fd/3', '3>', 3],
]
test.each(between)('-o %s between other commands', async (path, redirection, descriptor) => {
  const line = `{ echo header >&${descriptor}; syn chat -o ${path} hi; echo footer >&${descriptor}; } ${redirection} "$log"`
  expect(await logAfter(line)).toBe('header\nOK\nfooter\n')
})

test('what has no code block is on standard error, as without -o', async () => {
  await using service = await startService(streamed('OK', end()))
  expect(await shell('syn chat -x -o /dev/stdout hi', environment(service))).toMatchObject({
    code: 1,
    out: '',
    err: 'OK\nsyn: the answer has no fenced code block\n',
  })
})
