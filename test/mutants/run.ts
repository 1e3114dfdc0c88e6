/**
 * `npm run mutants`: breaks syn in many small ways, one at a time, and checks that a test fails each time. It works on a copy
 * of the checkout. `npm run mutants -- WORD…` tries the mutants whose name or file contains one of the words; with
 * `--no-whole`, what the mutant's own tests do not catch is not tried with all tests.
 */

import { spawn } from 'node:child_process'
import { constants, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants as systemConstants, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { applied, checkout, type Mutant } from './mutant.ts'
import { mutants } from './table.ts'

const { signals } = systemConstants

const copy = mkdtempSync(join(tmpdir(), 'syn-mutants-'))
let child: ReturnType<typeof spawn> | undefined

process.once('exit', () => {
  child?.kill()
  rmSync(copy, { recursive: true, force: true, maxRetries: 3 })
})
// More than once: without a listener, a second Ctrl-C would end it before the copy is removed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => process.exit(128 + signals[signal]))
}

/** @returns the exit status, and the output. */
function run(argv: readonly string[]): Promise<{ status: number; output: string }> {
  return new Promise((resolve, reject) => {
    const started = spawn(process.execPath, argv, { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] })
    child = started
    let output = ''
    for (const stream of [started.stdout, started.stderr]) stream.on('data', (text) => (output += text))
    started.on('error', reject)
    started.on('close', (status) => resolve({ status: status ?? 1, output }))
  })
}

async function build(): Promise<void> {
  const { status, output } = await run(['--env-file=.build/tsx.env', '--import', 'tsx', '.build/build.ts'])
  if (status !== 0) throw new Error(`the build failed: ${output}`)
}

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly { readonly name: string; readonly status: string }[]
}

/** @param files Below `test/`; none: all. @returns the test file that failed, if one did. @throws Error if no test ran. */
async function failedTest(files: readonly string[]): Promise<string | undefined> {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const flags = ['--bail', '1', '--reporter', 'json', '--outputFile', report]
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts']
  const { status, output } = await run([...vitest, ...flags, ...files.map((file) => `test/${file}`)])
  const { testResults, numPassedTests, numFailedTests } = existsSync(report)
    ? (JSON.parse(readFileSync(report, 'utf8')) as Report)
    : { testResults: [], numPassedTests: 0, numFailedTests: 0 }
  const failed = testResults.find((result) => result.status === 'failed')
  if (failed) return relative(copy, failed.name)
  if (numPassedTests + numFailedTests === 0) throw new Error(`no test ran of ${files.join(', ')}: ${output}`)
  return status === 0 ? undefined : 'the search for the API key after the tests'
}

/** @returns what caught the mutant, if something did. */
async function caughtBy(mutant: Mutant, mayRunAll: boolean): Promise<string | undefined> {
  const path = join(copy, 'src', mutant.file)
  const text = readFileSync(path)
  writeFileSync(path, applied(mutant, copy))
  try {
    // Tests run what is built.
    if (mutant.tests.some((file) => file.includes('.e2e.'))) await build()
    const failed = await failedTest(mutant.tests)
    if (failed !== undefined || !mayRunAll) return failed
    await build()
    const other = await failedTest([])
    return other === undefined ? undefined : `${other}, which is not listed`
  } finally {
    writeFileSync(path, text)
  }
}

/** Without a change all listed tests have to pass. @throws Error if one fails. */
async function checkUnchanged(tried: readonly Mutant[]): Promise<void> {
  await build()
  const failed = await failedTest([...new Set(tried.flatMap(({ tests }) => tests))])
  if (failed !== undefined) throw new Error(`${failed} fails without any change`)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** @returns the exit status. */
async function main(argv: readonly string[]): Promise<number> {
  const words = argv.filter((word) => !word.startsWith('-'))
  const unknown = argv.find((word) => word.startsWith('-') && word !== '--no-whole')
  const tried = mutants.filter(
    ({ name, file }) => words.length === 0 || words.some((word) => name.includes(word) || file.includes(word)),
  )
  if (unknown !== undefined || tried.length === 0) {
    print(unknown === undefined ? 'no such mutant' : `unknown option: ${unknown}`)
    return 2
  }
  const isLeftOut = /^(\.git|dist)$/
  const mode = constants.COPYFILE_FICLONE
  const filter = (path: string): boolean => !isLeftOut.test(relative(checkout, path))
  cpSync(checkout, copy, { recursive: true, verbatimSymlinks: true, mode, filter })
  await checkUnchanged(tried)
  print('| mutant | file | caught by | seconds |\n|---|---|---|---|')
  const survivors: string[] = []
  for (const mutant of tried) {
    const started = Date.now()
    const caught = await caughtBy(mutant, !argv.includes('--no-whole')).catch((error: Error) => error)
    const seconds = ((Date.now() - started) / 1000).toFixed(1)
    const shown = caught instanceof Error ? `DOES NOT APPLY: ${caught.message}` : (caught ?? 'SURVIVED')
    if (typeof caught !== 'string') survivors.push(mutant.name)
    print(`| ${mutant.name} | ${mutant.file} | ${shown.replaceAll(/\s+/g, ' ').slice(0, 300)} | ${seconds} |`)
  }
  print(`\n${tried.length - survivors.length} of ${tried.length} caught`)
  for (const name of survivors) print(`not caught: ${name}`)
  return survivors.length === 0 ? 0 : 1
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  print(`mutants: ${(error as Error).message}`)
  process.exitCode = 1
}
