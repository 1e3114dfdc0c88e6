/** `syn prompts` on a terminal and in a pipe, and which file `@NAME` is. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { environment, startSyn } from '../../helpers/program.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'
import { chatAnswer, events, startService } from '../../helpers/service.ts'
import { synOnTerminal } from '../../helpers/terminal.ts'

function store(home: string, prompts: Record<string, string>): string {
  const folder = join(home, '.config', 'syn', 'prompts')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(prompts)) writeFileSync(join(folder, `${name}.md`), text)
  return folder
}

const review = '---\ndescription: Review a diff\ntemperature: 0\n---\nReview {{.}}\n'

test('lists names and descriptions, also of a prompt with a mistake', async () => {
  const home = emptyFolder()
  const env = { HOME: home }
  const folder = join(home, '.config', 'syn', 'prompts')
  expect(await runSyn(['prompts'], { env })).toEqual({ code: 0, out: '', err: `syn: no prompts in ${folder}\n` })
  store(home, { review, 'style-1': 'Write plainly.', bad: '---\nx', 'a b': 'no name' })
  const err = `syn: prompt ${folder}/bad.md, line 1: no line --- ends the fields that begin here\n`
  expect(await runSyn(['prompts'], { env })).toEqual({ code: 0, out: 'bad\t\nreview\tReview a diff\nstyle-1\t\n', err })
  const json = await runSyn(['prompts', '--json'], { env })
  expect(JSON.parse(json.out)).toContainEqual({ name: 'review', description: 'Review a diff' })
  const screen = synOnTerminal(['prompts', '-q'], { ...environment(), HOME: home })
  expect(await screen.ended).toBe(0)
  expect(screen.lines().filter(Boolean).slice(-3)).toEqual(['bad', 'review   Review a diff', 'style-1'])
})

test('only files are prompts', async () => {
  const home = emptyFolder()
  const folder = store(home, { review })
  symlinkSync('review.md', join(folder, 'link.md'))
  symlinkSync('gone.md', join(folder, 'dangling.md'))
  mkdirSync(join(folder, 'folder.md'))
  execFileSync('mkfifo', [join(folder, 'pipe.md')])
  const out = 'dangling\t\nlink\tReview a diff\nreview\tReview a diff\n'
  const err = `syn: prompt: cannot read ${folder}/dangling.md: no such file\n`
  expect(await runSyn(['prompts'], { env: { HOME: home } })).toEqual({ code: 0, out, err })
  for (const name of ['folder', 'pipe']) {
    const { code, err } = await runSyn(['prompts', 'show', name], { env: { HOME: home } })
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`no prompt "${name}"`) })
  }
})

test('show prints the file', async () => {
  const home = emptyFolder()
  store(home, { review })
  expect(await runSyn(['prompts', 'show', 'review'], { env: { HOME: home } })).toEqual({
    code: 0,
    out: review,
    err: '',
  })
  const { code, err } = await runSyn(['prompts', 'show', 'revew'], { env: { HOME: home } })
  expect({ code, err }).toEqual({
    code: 2,
    err: 'syn: NAME: no prompt "revew" (did you mean review?)\nhint: use syn prompts to list the prompts\n',
  })
})

test('a directory that cannot be read is named', async () => {
  const home = emptyFolder()
  mkdirSync(join(home, '.config', 'syn'), { recursive: true })
  const folder = join(home, '.config', 'syn', 'prompts')
  writeFileSync(folder, '')
  const env = { HOME: home }
  const message = `syn: cannot read the directory ${folder}: not a directory\n`
  expect(await runSyn(['prompts'], { env })).toEqual({ code: 2, out: '', err: message })
  // The HOME of a user without one.
  expect(await runSyn(['prompts'], { env: { HOME: '/dev/null' } })).toMatchObject({ code: 0, out: '' })
})

test('a directory without permission is not an empty one', async () => {
  const home = emptyFolder()
  const folder = store(home, { review })
  const preload = join(home, 'fault.cjs')
  // To root, everything is permitted.
  writeFileSync(
    preload,
    `const fs = require('node:fs')
    const { readdirSync } = fs
    fs.readdirSync = (path, ...given) => {
      if (!String(path).endsWith('prompts')) return readdirSync(path, ...given)
      throw Object.assign(new Error('EACCES'), { errno: -13, code: 'EACCES', syscall: 'scandir' })
    }`,
  )
  const env = { ...environment(), HOME: home, NODE_OPTIONS: `--require ${JSON.stringify(preload)}` }
  const err = `syn: cannot read the directory ${folder}: permission denied\n`
  expect(await startSyn(['prompts'], env).ended).toMatchObject({ code: 2, out: '', err })
})

test('a stored prompt comes before a file of its name, with a notice; else @NAME is the file', async () => {
  const home = emptyFolder()
  const folder = store(home, { review: 'of the prompt', style: 'of the prompt' })
  const before = process.cwd()
  onTestFinished(() => process.chdir(before))
  process.chdir(home)
  const sent = async (line: string): Promise<{ text: string; err: string }> => {
    const { out, err } = await runSyn([...line.split(' '), '--dry-run'], { env: { HOME: home } })
    return { text: /"content": (.*)/.exec(out)?.[1] ?? '', err }
  }
  writeFileSync('review', '---\nmodel: hf:other/model\nn: 4\n---\nof the file')
  writeFileSync('rows.txt', 'x\n')
  mkdirSync('style')
  for (const [line, flag] of [
    ['chat -t review x', '--template'],
    ['batch -t @review --lines rows.txt', '--template'],
    ['chat -s @review x', '--system'],
  ] as const) {
    const { text, err } = await sent(line)
    expect([line, text]).toEqual([line, expect.stringMatching(/^"of the prompt/)])
    expect(err).toContain(
      `syn: ${flag}: using the prompt review, not the file review here; use @./review for the file\n`,
    )
  }
  for (const [line, text] of [
    ['chat -t @./review x', '"of the file\\n\\nx"'],
    ['chat -t @style x', '"of the prompt\\n\\nx"'],
  ] as const) {
    expect(await sent(line)).toEqual({ text, err: expect.not.stringContaining('using') as string })
  }
  const path = join(folder, 'review.md')
  rmSync(path)
  for (const unreadable of [() => symlinkSync('gone.md', path), () => mkdirSync(path)]) {
    unreadable()
    const { text, err } = await sent('chat -t @review x')
    expect([text, err]).toEqual(['', expect.stringContaining('cannot read')])
    rmSync(path, { recursive: true })
  }
  expect(await sent('chat -t @review x')).toEqual({
    text: '"of the file\\n\\nx"',
    err: expect.not.stringContaining('--template') as string,
  })
  expect((await sent('chat -t review x')).text).toBe('"review\\n\\nx"')
})

test('on a terminal a prompt is sent at once, and needs its input', async () => {
  const home = emptyFolder()
  store(home, { hello: 'Say hello.', review })
  await using service = await startService(events(chatAnswer(['Hello'])))
  const env = { ...environment(service), HOME: home }
  const sent = synOnTerminal(['chat', '--no-save', '-t', '@hello'], env)
  expect(await sent.ended).toBe(0)
  expect(sent.lines()).toContain('Hello')
  expect(service.asked.at(-1)?.json).toMatchObject({ messages: [{ role: 'user', content: 'Say hello.' }] })
  const refused = synOnTerminal(['chat', '--sandbox', '-t', '@review'], env)
  expect(await refused.ended).toBe(2)
  expect(refused.lines().join('\n')).toContain('prompt review: no value for "."')
})
