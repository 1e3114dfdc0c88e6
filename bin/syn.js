#!/usr/bin/env node
import { existsSync, readFileSync, writeSync } from 'node:fs'
import module from 'node:module'

const program = new URL('../dist/main.js', import.meta.url)
const [flag, ...others] = process.argv.slice(2)
const asksForVersion = others.length === 0 && (flag === '--version' || flag === '-V')

if (!(asksForVersion && printVersion())) await start()

/** Scripts ask for the version often: nothing else is loaded for it. What fails here is left to the program to tell. */
function printVersion() {
  try {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    writeSync(1, `${version}\n`)
    return true
  } catch {
    return false
  }
}

async function start() {
  if (existsSync(program)) {
    // Node 22.8 and newer keep compiled code between runs.
    module.enableCompileCache?.()
    try {
      const { main } = await import(program.href)
      await main()
      // At exit, beyond `ulimit -f`, writing it would end the process with SIGXFSZ.
      module.flushCompileCache?.()
    } catch (error) {
      if (error.code !== 'EMFILE') throw error
      // Not even the code that reports errors could be loaded.
      writeSync(2, 'syn: too many open files\nhint: raise the limit, for example with ulimit -n 256\n')
      process.exitCode = 1
    }
  } else {
    console.error('syn: not built yet: run "npm install" in the checkout first')
    process.exitCode = 1
  }
}
