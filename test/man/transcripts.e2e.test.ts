/** The transcripts in the man pages match the output of the program. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unescape } from '../../.build/man-text.ts'
import { manPages } from '../../man/pages.ts'
import { needs } from '../helpers/installed.ts'
import { environment, quoted, shell } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'

/** Their output depends on a terminal, on the time, on a server, or on a keyring. */
const untried = [
  'syn chat --sandbox',
  'syn chat --sandbox "A table',
  'syn sandbox --port',
  'echo sandbox-key',
  'syn quota -q',
  'syn login --key-command',
  'secret-tool store',
  'security add',
  'pass insert',
]

interface Step {
  readonly command: string
  readonly output: string
}

const pages = [...(await manPages())].map(([file, source]) => [file, stepsOf(source)] as const)
const tried = pages
  .map(
    ([file, steps]) =>
      [file, steps.filter(({ command }) => !untried.some((start) => isAbout(command, start)))] as const,
  )
  .filter(([, steps]) => steps.length > 0)

const shownFiles = pages.flatMap(([, steps]) =>
  steps.flatMap(({ command, output }) => (/^cat \S+$/.test(command) ? [[command.slice(4), output] as const] : [])),
)

test.concurrent.for(tried)('%s', async ([, steps], context) => {
  if (steps.some(({ command }) => /\bjq\b/.test(command))) needs('jq')(context)
  const folder = emptyFolder()
  const isWritten = (name: string): boolean => steps.some(({ command }) => command.includes(` -o ${name}`))
  for (const [name, text] of shownFiles) if (!isWritten(name)) writeFileSync(join(folder, name), text)
  const env = environment()
  for (const { command, output } of steps) {
    const { out } = await shell(`cd ${quoted(folder)} && { ${command}\n} 2>&1`, env)
    expect(`$ ${command}\n${out.replaceAll(env.HOME ?? '', '~')}`).toBe(`$ ${command}\n${output}`)
  }
})

test('a file has one content on all pages', () => {
  expect(new Set(shownFiles.map(String)).size).toBe(new Map(shownFiles).size)
})

test('each exception is needed', () => {
  const commands = pages.flatMap(([, steps]) => steps.map(({ command }) => command))
  expect(untried.filter((start) => !commands.some((command) => isAbout(command, start)))).toEqual([])
})

/** `syn chat --sandbox` alone is another command than with a prompt. */
function isAbout(command: string, start: string): boolean {
  return start === 'syn chat --sandbox' ? command === start : command.startsWith(start)
}

function stepsOf(source: string): Step[] {
  const displays = [...source.matchAll(/^\.Bd .*\n([^]*?)^\.Ed$/gm)].map(([, text = '']) => unescape(text))
  const transcripts = displays.filter((text) => text.startsWith('$ '))
  return transcripts.flatMap((text) =>
    text.split(/^\$ /m).flatMap((step) => {
      const [command = '', ...lines] = step.split('\n')
      return command === '' ? [] : [{ command, output: lines.join('\n') }]
    }),
  )
}
