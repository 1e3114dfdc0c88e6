/** How programs are started on Windows, where cmd.exe stands in for a program that prints what it gets. */

import { chmodSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Secrets } from '../../src/io/secrets.ts'
import { startGroup } from '../../src/io/process/process-group.ts'
import { environmentFor } from '../../src/tools/environment.ts'
import { emptyFolder, testIo, unreadInput } from '../helpers/run-syn.ts'

const write = (): Promise<void> => Promise.resolve()
const sink = { isTerminal: false as const, columns: () => 80, write }

/** A folder with programs that print their words as JSON. */
function folderWith(...names: string[]): string {
  const folder = emptyFolder()
  for (const name of names) {
    const path = join(folder, name)
    writeFileSync(path, `#!${process.execPath}\nconsole.log(JSON.stringify(process.argv.slice(1)))\n`)
    chmodSync(path, 0o755)
  }
  return folder
}

/** @returns what was started: the program, and its words. */
async function started(words: string[], path: string, platform: NodeJS.Platform = 'win32'): Promise<string[]> {
  const env = { PATH: path, COMSPEC: join(folderWith('cmd'), 'cmd') }
  const group = startGroup(words, env, testIo({ in: unreadInput(), out: sink, err: sink, env, platform }))
  const [printed, failure] = await Promise.all([text(group.stdout), group.ended])
  return failure === undefined ? (JSON.parse(printed) as string[]) : [failure]
}

describe('a batch file', () => {
  const folder = folderWith('npx.cmd', 'npx', 'both.cmd', 'both.exe', 'old.bat')
  const path = `${emptyFolder()};${folder}`

  test.each<[word: string, file: string]>([
    ['npx', 'npx.cmd'],
    ['npx.cmd', 'npx.cmd'],
    ['old', 'old.bat'],
    [join(folder, 'npx'), 'npx.cmd'],
  ])('%s is run by cmd.exe', async (word, file) => {
    const [program, ...words] = await started([word, '-y', 'a'], path)
    expect(program).toMatch(/cmd$/)
    expect(words).toEqual(['/d', '/v:off', '/s', '/c', `""${join(folder, file)}" "-y" "a""`])
  })

  test.each<[word: string, quoted: string]>([
    ['a & b | ^ < > ( ) !X!', '"a & b | ^ < > ( ) !X!"'],
    ['', '""'],
    ['"', '""""'],
    ['x" & y "', '"x"" & y """'],
    ['c:\\d\\', '"c:\\d\\\\"'],
    ['\\\\"', '"\\\\\\\\"""'],
  ])('gets %j as %s', async (word, quoted) => {
    expect((await started(['npx', word], path)).at(-1)).toBe(`""${join(folder, 'npx.cmd')}" ${quoted}"`)
  })

  test.each(['%PATH%', 'a\nb', 'a\rb'])('does not get %j', async (word) => {
    await expect(started(['npx', word], path)).rejects.toThrow(
      `${join(folder, 'npx.cmd')} is a batch file, which takes no % and no line break`,
    )
  })

  test.each<[word: string, platform: NodeJS.Platform]>([
    [join(folder, 'both.exe'), 'win32'],
    [join(folder, 'npx.cmd'), 'linux'],
  ])('%s on %s is started directly', async (word, platform) => {
    expect(await started([word, '%'], path, platform)).toEqual([word, '%'])
  })

  test('comes after a program in the same folder, and after one in an earlier folder', async () => {
    expect(await started(['both', '%'], path)).toEqual([join(folder, 'both.exe'), '%'])
    const earlier = folderWith('npx.exe')
    expect(await started(['npx', '%'], `${earlier};${folder}`)).toEqual([join(earlier, 'npx.exe'), '%'])
  })
})

test('tools get the variables without which hardly a program starts on Windows', () => {
  const kept = { Path: 'p', PATHEXT: '.EXE', SystemRoot: 's', TEMP: 't', APPDATA: 'a', 'ProgramFiles(x86)': 'f' }
  const secrets = new Secrets()
  const env = { ...kept, AWS_SECRET: 's', SYN_API_KEY: 'k', MYPATH: 'm' }
  expect(environmentFor('command', {}, 'tools.json', { secrets, io: { env, platform: 'win32' } })).toEqual(kept)
  expect(environmentFor('command', {}, 'tools.json', { secrets, io: { env, platform: 'linux' } })).toEqual({})
})
