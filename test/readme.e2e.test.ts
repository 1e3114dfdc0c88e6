/** Checks the claims of README.md. Needs the build, which `npm test` makes first. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { registry } from '../src/cli/registry.ts'
import { environment, program, quoted, start } from './helpers/program.ts'
import { emptyFolder } from './helpers/run-syn.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** In order: `sh` has commands, and `console` also what they print, after a dollar sign and the command. */
const blocks = [...readme.matchAll(/^```(sh|console)\n([^]*?)^```$/gm)]
  .map(([, language = '', text = '']) => ({ language, text }))
  // package.test.ts packs and installs.
  .filter(({ text }) => !text.startsWith('npm '))

const transcripts = blocks
  .filter(({ language }) => language === 'console')
  .flatMap(({ text }) => [...text.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)])
  .map(([, command = '', output = ''], at) => ({ command, output, file: `output-${at}` }))

function scriptOf({ language, text }: { language: string; text: string }): string {
  if (language === 'sh') return text
  const steps = transcripts.filter(({ command }) => text.includes(`$ ${command}\n`))
  // The next command may print the status of the one before.
  return `set +e\n${steps.map(({ command, file }) => `{ ${command}\n} > ~/${file} 2>&1`).join('\n')}\nset -e`
}

test('it has at most 10 KB', () => {
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(10_240)
})

test('its table of commands has each of them', () => {
  const listed = new Set([...readme.matchAll(/`syn ([\w-]+)`/g)].map(([, name]) => name))
  expect(registry.map(({ name }) => name).filter((name) => !listed.has(name))).toEqual([])
})

test('its links lead to files', () => {
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path)
  expect(links.length).toBeGreaterThan(3)
  expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('its commands run as written, from top to bottom, and print what it shows', async () => {
  const home = emptyFolder()
  const bin = join(home, 'bin')
  const env = { ...environment(), HOME: home, TMPDIR: join(home, 'tmp'), PATH: `${bin}:${process.env.PATH ?? ''}` }
  const port = String(await freePort())
  const script = blocks.map(scriptOf).join('\n')
  const setUp = `mkdir ${quoted(bin)} "$TMPDIR" && ln -s ${quoted(program)} ${quoted(join(bin, 'syn'))} && cd ${quoted(home)}`
  const line = `set -e\n${setUp}\ntrap 'kill $(jobs -p)' EXIT\n${script}`
  const ported = line.replaceAll('--port 8790', `--port ${port} --rate 0`).replaceAll('8790', port)
  const { code, err } = await start('bash', ['-c', ported], env).ended
  expect(err).not.toContain('hint:')
  expect(code).toBe(0)
  expect(transcripts.length).toBeGreaterThan(0)
  for (const { command, output, file } of transcripts) {
    expect(`$ ${command}\n${readFileSync(join(home, file), 'utf8')}`).toBe(`$ ${command}\n${output}`)
  }
  const work = readdirSync(join(home, 'tmp')).map((name) => join(home, 'tmp', name))[0] ?? ''
  expect(readFileSync(join(work, 'notes.md'), 'utf8')).toContain('The meeting is on Tuesday.')
  expect(readFileSync(join(work, 'count.sh'), 'utf8')).toMatch(/^#!/)
  expect(readFileSync(join(work, 'embeddings.jsonl'), 'utf8').split('\n')).toHaveLength(4)
  expect(readFileSync(join(work, 'embeddings.csv'), 'utf8')).toMatch(/^index,v0,/)
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
