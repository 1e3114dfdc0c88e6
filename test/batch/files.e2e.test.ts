import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { bundled } from '../helpers/bundled.ts'
import { runBatch } from '../helpers/batch-run.ts'
import { environment, node } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'

const lines = Array.from({ length: 5000 }, (_, number) => String(number))
let script = ''
beforeAll(async () => {
  script = await bundled(fileURLToPath(new URL('write-results.ts', import.meta.url)))
})

/** Starts to write results. @returns when it has said these lines. */
async function startRun(path: string, untilLine: string): Promise<ChildProcess> {
  const child = spawn(node, [script, path], { env: environment(), stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  for await (const chunk of child.stdout) {
    said += String(chunk)
    if (said.includes(`\n${untilLine}\n`)) break
  }
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const closed = once(child, 'exit')
  child.kill('SIGKILL')
  await closed
}

test('killed at any moment, no result that was written is lost', async () => {
  for (const last of ['1', '700', '4321']) {
    const path = join(emptyFolder(), 'out.txt')
    await kill(await startRun(path, last))
    const { sent } = await runBatch(path, lines, { format: { type: 'text' } })
    expect(sent.every((line) => Number(line) > Number(last))).toBe(true)
    expect(readFileSync(path, 'utf8')).toBe(lines.map((line) => `answer to ${line}\n`).join(''))
  }
})

test('without room on the disk it stops, with all results that were written', async () => {
  const path = join(emptyFolder(), 'out.txt')
  const limited = spawnSync('/bin/sh', ['-c', 'ulimit -f 100; exec "$0" "$@"', node, script, path], {
    env: environment(),
    encoding: 'utf8',
  })
  expect(limited.stderr).toBe(`FailedError: cannot write ${path}.partial: file too large\n`)
  const written = limited.stdout.trimEnd().split('\n')
  expect(written.length).toBeGreaterThan(100)
  expect(readFileSync(`${path}.partial`, 'utf8').endsWith('}\n')).toBe(true)
  const { sent, warnings } = await runBatch(path, lines, { format: { type: 'text' } })
  expect(sent).toHaveLength(lines.length - written.length)
  expect(warnings).toEqual([])
  expect(readFileSync(path, 'utf8')).toBe(lines.map((line) => `answer to ${line}\n`).join(''))
})
