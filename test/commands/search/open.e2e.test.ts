/** `--open N`: starts the browser with the URL, and does not wait for it. */

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { environment, quoted, startSyn } from '../../helpers/program.ts'
import { openInBrowser } from '../../../src/io/process/browser.ts'
import { emptyFolder } from '../../helpers/run-syn.ts'
import { search } from '../../helpers/search.ts'
import { json, startService } from '../../helpers/service.ts'

/** A program that writes to a named pipe: its arguments, one per line, unless the script writes something else. */
class Browser {
  readonly folder = emptyFolder()
  readonly #pipe = join(this.folder, 'pipe')

  constructor(name: string, script = `printf '%s\\n' "$@"`) {
    spawnSync('mkfifo', [this.#pipe])
    writeFileSync(join(this.folder, name), `#!/bin/sh\n${script} > ${quoted(this.#pipe)}\n`, { mode: 0o755 })
  }

  get path(): string {
    return `${this.folder}:${process.env.PATH}`
  }

  async opened(): Promise<string[]> {
    return (await readFile(this.#pipe, 'utf8')).split('\n').slice(0, -1)
  }
}

test('the result of that number is opened, and nothing is printed', async () => {
  const browser = new Browser('xdg-open')
  const [outcome, opened] = await Promise.all([
    search(['--open', '2', 'tower'], { env: { PATH: browser.path } }),
    browser.opened(),
  ])
  expect(opened).toEqual(['https://example.org/a?b=c&d'])
  expect(outcome).toMatchObject({ code: 0, out: '', err: 'syn: opening https://example.org/a?b=c&d\n' })
})

test('the browser gets no variable of syn', async () => {
  await using service = await startService(json({ results: [{ url: 'https://a.b/' }] }))
  const browser = new Browser('browse', 'env')
  const own = { SYN_MODEL: 'm', syn_other: 'x', SYNOPSIS: 'kept' }
  const env = { ...environment(service), ...own, PATH: browser.path, BROWSER: 'browse' }
  const [{ code }, got] = await Promise.all([startSyn(['search', '--open', '1', 'x'], env).ended, browser.opened()])
  expect(code).toBe(0)
  expect(got.filter((line) => /^syn/i.test(line))).toEqual(['SYNOPSIS=kept'])
})

test.each<[named: string, platform: NodeJS.Platform, program: string, argv: string[]]>([
  ['browse --url %s --now', 'linux', 'browse', ['--url', 'https://a.b/?c&d', '--now']],
  ['no-such-one -a::browse -b', 'linux', 'browse', ['-b', 'https://a.b/?c&d']],
  ['', 'darwin', 'open', ['https://a.b/?c&d']],
  ['', 'win32', 'rundll32', ['url.dll,FileProtocolHandler', 'https://a.b/?c&d']],
  ['browse', 'win32', 'browse', ['https://a.b/?c&d']],
])('BROWSER=%j on %s: %s %j', async (named, platform, program, argv) => {
  const browser = new Browser(program)
  const env = { PATH: browser.path, ...(named !== '' && { BROWSER: named }) }
  const [opened] = await Promise.all([browser.opened(), openInBrowser('https://a.b/?c&d', { env, platform })])
  expect(opened).toEqual(argv)
})

describe('cannot open: exit 1', () => {
  test.each<[title: string, argv: string[], results: unknown[], message: string]>([
    ['a number too high', ['--open', '2'], [{ url: 'https://a' }], '--open: no result 2, found 1 result'],
    [
      'a script',
      ['--open', '1'],
      [{ url: 'javascript:alert(1)' }],
      '--open: result 1 is not a web URL: javascript:alert(1)',
    ],
  ])('%s', async (_title, argv, results, message) => {
    const { code, out, err } = await search([...argv, 'x'], { answer: json({ results }), env: { PATH: emptyFolder() } })
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(`syn: ${message}\n`)
  })

  test('the hint contains the URL', async () => {
    const env = { BROWSER: '/no/such:/nor/this', PATH: '' }
    await expect(openInBrowser('https://a/', { env, platform: 'linux' })).rejects.toMatchObject({
      message: 'cannot start a browser: cannot run /no/such, /nor/this',
      hint: 'set BROWSER to a command, or open https://a/',
    })
  })
})
