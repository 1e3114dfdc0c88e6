/** Files that are no text, read by commands of the user: attached, searched, and as rows of a batch. */

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { needsCommand } from '../helpers/installed.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { startSearch } from '../helpers/similar.ts'
import { certificate } from '../helpers/watched-server.ts'
import { configText, homeWith } from '../settings/stored.ts'

const previous = process.cwd()
beforeEach(() => process.chdir(emptyFolder()))
afterEach(() => process.chdir(previous))

function program(name: string, text: string): string {
  writeFileSync(name, `#!/bin/sh\n${text}\n`)
  chmodSync(name, 0o755)
  return `./${name}`
}

/** @returns what is sent of a prompt with these arguments, and the errors. */
async function sent(argv: string[], readers: object, env: Record<string, string> = {}) {
  const options = { env: { PATH: process.env.PATH ?? '', ...env, HOME: homeWith({ readers }) } }
  const { code, out, err } = await runSyn(['chat', '--sandbox', '--dry-run', ...argv], options)
  const { messages } = JSON.parse(out || '{"messages":[]}') as { messages: { content: string }[] }
  return { code, content: messages[0]?.content, err: err.replace(/^syn: POST.*\n/m, '') }
}

/** Form feeds end pages, as pdftotext prints them. */
const pages = 'The cat sleeps.\n\n\fA ship\n\nsails.\n\n\f'

test.each([
  ['a.pdf', '', 'a.pdf:\n```pdf\nargs:./a.pdf 1\n```'],
  ['-a.pdf', '', '-a.pdf:\n```pdf\nargs:./-a.pdf 1\n```'],
  ['../{}$& a.PDF', '', '../{}$& a.PDF:\n```PDF\nargs:../{}$& a.PDF 1\n```'],
  ['a.doc', '', 'a.doc:\n```doc\nargs:./a.doc 1\n```'],
  ['two.pages', '#2', 'two.pages#2:\n```pages\nA ship\n\nsails.\n\n```'],
  ['two.pages', ':1-2', `two.pages#1-2:\n\`\`\`pages\n${pages.slice(0, -1)}\`\`\``],
])('-f %s%s', async (name, lines, content) => {
  mkdirSync('in')
  process.chdir('in')
  mkdirSync('my bin')
  writeFileSync(name, pages)
  for (const name of ['my bin/read it', "o'neil"]) program(name, 'echo "args:$1 $#"')
  const readers = { doc: "./o'neil {}", pdf: `'my bin/read it' {}`, pages: 'cat "{}"' }
  expect(await sent(['-f', name + lines], readers)).toEqual({ code: 0, content, err: '' })
})

test.each([
  ['floods', 'yes', 'the reader sent more than 16 MiB'],
  ['fails', 'echo no >&2; echo "Syntax Error: no xref" >&2; exit 1', 'Syntax Error: no xref'],
  ['fails without a word', 'exit 3', 'the reader exited with status 3'],
  ['prints nothing', "printf ' \\f'", 'the reader printed no text'],
  ['prints no text', "printf '%%PDF-1.5'", ', by its reader: not UTF-8 text, but a PDF document'],
])('a reader that %s', async (_what, script, error) => {
  writeFileSync('a.pdf', '')
  const { code, err } = await sent(['-f', 'a.pdf', 'hi'], { pdf: `${program('reader', script)} {}` })
  expect({ code, err }).toMatchObject({
    code: 2,
    err: expect.stringContaining(`--file a.pdf${error.replace(/^(?!,)/, ': ')}\n`),
  })
})

test('a PDF with two pages', async () => {
  needsCommand('pdftotext')
  writeFileSync('-a.pdf', pdfOf(['The cat', 'The ship']))
  const pdf = { pdf: 'pdftotext -layout {} -' }
  expect((await sent(['-f', '-a.pdf#2'], pdf)).content).toMatch(/^-a\.pdf#2:\n```pdf\n\s*The ship\n```$/)
  expect((await sent(['-f', '-a.pdf#9'], pdf)).err).toContain('-a.pdf#9: no such pages; the last one is 2\n')
  writeFileSync('bad.pdf', 'bad')
  expect((await sent(['-f', 'bad.pdf'], pdf)).err).toContain("--file bad.pdf: Syntax Error: Couldn't read xref table\n")
  expect((await sent(['-f', '-a.pdf'], {})).err).toContain(
    `hint: read such files with: syn config set readers.pdf '${pdf.pdf}'\n`,
  )
})

/** Without a table of objects, which readers make anew. */
function pdfOf(texts: readonly string[]): string {
  const kids = texts.map((_text, at) => `${2 * at + 4} 0 R`).join(' ')
  const objects = texts.map((text, at) => {
    const [page, drawn] = [2 * at + 4, `BT /F1 12 Tf 50 700 Td (${text}) Tj ET`]
    const resources = '/Resources<</Font<</F1 3 0 R>>>>'
    return `${page} 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]${resources}/Contents ${page + 1} 0 R>>\nendobj
${page + 1} 0 obj\n<</Length ${drawn.length}>>stream\n${drawn}\nendstream\nendobj`
  })
  return `%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj
2 0 obj\n<</Type/Pages/Kids[${kids}]/Count ${texts.length}>>\nendobj
3 0 obj\n<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>\nendobj
${objects.join('\n')}\ntrailer\n<</Root 1 0 R>>\n%%EOF\n`
}

test('one that hangs ends with the run, and gets no variable of syn', async () => {
  writeFileSync('a.pdf', '')
  const { content = '' } = await sent(
    ['-f', 'a.pdf'],
    { pdf: `${program('reader', 'env')} {}` },
    { SYN_MODEL: 'hf:a/b' },
  )
  expect(content).toMatch(/^PATH=/m)
  expect(content).not.toContain('SYN_')
  const stop = new AbortController()
  const home = homeWith({ readers: { pdf: `${program('reader', 'echo > started; sleep 1000 & sleep 1000')} {}` } })
  const run = runSyn(['chat', '--dry-run', '-f', 'a.pdf'], {
    env: { PATH: process.env.PATH ?? '', HOME: home },
    signal: stop.signal,
  })
  stop.abort(new Error('stopped'))
  expect((await run).code).not.toBe(0)
})

describe('syn config', () => {
  const config = (...argv: string[]) => runSyn(['config', ...argv], { env: { HOME: home } })
  let home = ''
  beforeEach(() => (home = homeWith({ profiles: {} })))

  test('stores, lists and removes them', async () => {
    expect((await config('set', 'readers.pdf', 'pdftotext -layout {} -')).err).toMatch(
      /^syn: stored readers\.pdf pdftotext -layout \{\} - in /,
    )
    expect((await config('get', 'readers.pdf')).out).toBe('pdftotext -layout {} -\n')
    expect((await config('list')).out).toContain('\nreaders.pdf\tpdftotext -layout {} -\tconfig file\n')
    expect(JSON.parse(configText(home))).toEqual({ profiles: {}, readers: { pdf: 'pdftotext -layout {} -' } })
    expect(await config('set', 'readers.pdf')).toMatchObject({ code: 2 })
    expect((await config('unset', 'readers.pdf')).err).toMatch(/^syn: removed readers\.pdf from /)
    expect((await config('unset', 'readers.pdf')).err).toMatch(/^syn: readers\.pdf is not stored in /)
    expect(await config('get', 'readers.pdf')).toMatchObject({ code: 1, err: 'syn: readers.pdf is not set\n' })
  })

  test.each([
    ['readers.PDF', 'a {}', 'expected an extension'],
    ['readers.', 'a {}', 'expected an extension'],
    ['readers.pdf', 'pdftotext', 'expected a command with {} once'],
    ['readers.pdf', '{} {}', 'expected a command with {} once'],
    ['readers.pdf', 'pdftotext {} - | head', 'no shell reads it'],
  ])('refuses %s %s', async (name, command, error) => {
    expect(await config('set', name, command)).toMatchObject({ code: 2, err: expect.stringContaining(error) })
    const inFile = homeWith({ readers: { [name.slice('readers.'.length)]: command } })
    expect(await runSyn(['config', 'list'], { env: { HOME: inFile } })).toMatchObject({ code: 2, out: '' })
  })
})

test('a folder under similar and --from: places are pages, and a file that fails is named', async () => {
  await using search = await startSearch({ 'bad.pdf': 'bad', 'none.doc': '\0' })
  search.write(
    Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${at}.pdf`, pages.replace('cat', `cat ${at}`)])),
  )
  const reader = program('reader', '[ "$(cat "$1")" = bad ] && { echo broken >&2; exit 1; }; cat "$1"')
  const home = homeWith({ readers: { pdf: `${reader} {}` } })
  const env = { HOME: home, PATH: process.env.PATH ?? '' }
  const found = await search.search(['--json', '-n', '100'], { env })
  const places = JSON.parse(found.out) as { path: string; page: number }[]
  expect(places.filter(({ page }) => page === 1)).toHaveLength(20)
  expect(found.err).toContain(`${search.folder}/bad.pdf: broken, and 1 other file`)
  expect((await search.search([], { env })).sent).toHaveLength(1)
  const { content = '' } = await sent(['--from', join(search.folder, '7.pdf'), 'Where?'], { pdf: `${reader} {}` })
  expect(content).toMatch(
    /in brackets: \[.*\/7\.pdf#1\]\n\n.*\/7\.pdf#1:\n```pdf\nThe cat 7 sleeps\.\n```\n\n.*\/7\.pdf#2:\n/,
  )
})

test('rows of a batch', async () => {
  for (const name of ['a.pdf', 'b.pdf']) writeFileSync(name, name === 'b.pdf' ? '' : '\0 text')
  const home = homeWith({ readers: { pdf: `${program('reader', 'test -s "$1" && echo "text of $1"')} {}` } })
  const options = { env: { HOME: home, PATH: process.env.PATH ?? '' } }
  const { out, err } = await runSyn(['batch', '--files', '*.pdf', '-t', '{{.}}', '--sandbox', '--dry-run'], options)
  expect(out + err).toMatch(/text of \.\/a\.pdf[^]*1 invalid row/)
})

test('a page, over https, with a redirect to another host and without the key', async () => {
  const identity = readFileSync(certificate)
  const asked: string[] = []
  const server = createServer({ key: identity, cert: identity }, ({ url, rawHeaders, headers }, response) => {
    asked.push(`${headers.host} ${url} ${rawHeaders.join(' ')}`)
    const location = `https://localhost:${port}/page`
    if (url === '/') response.writeHead(302, { location }).end()
    else if (url === '/file') response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    else if (url === '/a.pdf') response.writeHead(200, { 'content-type': 'application/vnd.a' }).end('%PDF-1.5')
    else response.writeHead(url === '/page' ? 200 : 404, { 'content-type': 'text/html' }).end('<p>Hi')
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  const env = { SSL_CERT_FILE: certificate, SYN_API_KEY: 'sk-page-0123456789', SYN_BASE_URL: 'https://api.example.com' }
  try {
    const from = `https://127.0.0.1:${port}`
    const html = { html: `${program('reader', 'read -r text < "$1"; echo "${text#???}"')} {}` }
    expect(await sent(['-f', `${from}/`], html, env)).toEqual({
      code: 0,
      content: `${from}/:\n\`\`\`\nHi\n\`\`\``,
      err: `syn: ${from}/ redirects to https://localhost:${port}/page\n`,
    })
    expect(await sent(['-f', `${from}/page`], {}, env)).toMatchObject({
      code: 0,
      content: expect.stringContaining('<p>Hi'),
    })
    expect(await sent(['-f', `${from}/none`], {}, env)).toMatchObject({
      code: 6,
      err: expect.stringContaining('HTTP 404'),
    })
    expect((await sent(['-f', `${from}/file`], {}, env)).err).toContain(
      `--file ${from}/file: expected an http or https URL without a user name, not file:///etc/passwd\n`,
    )
    expect((await sent(['-f', `${from}/a.pdf`], {}, env)).err).toContain('syn config set readers.pdf ')
    expect(await sent(['-f', 'https://'], {}, env)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--file https://: expected an http or https URL'),
    })
    expect(asked).toHaveLength(6)
    expect(asked.join()).not.toMatch(/sk-page|authorization|x-api-key/i)
  } finally {
    server.close()
  }
})
