#!/usr/bin/env node
// Node 10 can parse this file, so that each Node that is too old gets a message: no newer syntax, and no `node:` imports.
'use strict'

const { existsSync, readFileSync, writeSync } = require('fs')
const module_ = require('module')
const { join } = require('path')

/** A copy of `engines` in package.json, which is slow to read. */
const oldestNode = '20.18.1'

const dist = join(__dirname, '../dist')

if (isTooOld()) fail(`needs Node ${oldestNode} or newer, this is ${process.versions.node}`)
else if (!printVersion(process.argv.slice(2))) void start()

function isTooOld() {
  const actual = process.versions.node.split('.').map(Number)
  const oldest = oldestNode.split('.').map(Number)
  const at = oldest.findIndex((number, index) => number !== actual[index])
  return at !== -1 && actual[at] < oldest[at]
}

/** To load the program takes longer than all the rest. It prints the version where this fails. */
function printVersion(words) {
  if (words.length !== 1 || !/^(-V|--version)$/.test(words[0])) return false
  try {
    writeSync(1, `${JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')).version}\n`)
    return true
  } catch {
    return false
  }
}

async function start() {
  const program = join(dist, 'main.cjs')
  if (!existsSync(program)) return fail('not built yet: run "npm install" in the checkout first')
  // Node 22.8 and newer keep compiled code between runs.
  if (module_.enableCompileCache) module_.enableCompileCache()
  try {
    await require(program).main()
    // At exit, beyond `ulimit -f`, writing it would end the process with SIGXFSZ.
    if (module_.flushCompileCache) module_.flushCompileCache()
  } catch (error) {
    // Any other error is a defect, with a stack trace.
    if (error.code !== 'EMFILE') throw error
    // The code that reports errors could not be loaded either.
    fail('too many open files\nhint: raise the limit, for example with ulimit -n 256')
  }
}

function fail(text) {
  writeSync(2, `syn: ${text}\n`)
  process.exitCode = 1
}
