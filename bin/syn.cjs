#!/usr/bin/env node
// Node 10 can parse this file, so that each Node that is too old gets a message: no newer syntax, and no `node:` imports.
'use strict'

const { existsSync, fstatSync, readFileSync, writeSync } = require('fs')
const module_ = require('module')
const { join } = require('path')

/** As in `engines` of package.json, which takes time to read. */
const oldestNode = '20.18.1'

const dist = join(__dirname, '../dist')

if (isTooOld()) fail(`needs Node ${oldestNode} or newer, this is ${process.versions.node}`)
else if (!printWritten(process.argv.slice(2))) void start()

function isTooOld() {
  const actual = process.versions.node.split('.').map(Number)
  const oldest = oldestNode.split('.').map(Number)
  const at = oldest.findIndex((number, index) => number !== actual[index])
  return at !== -1 && actual[at] < oldest[at]
}

/**
 * Prints the version or a help text as the build has written it: to load the program takes longer than all the rest. Help
 * on a terminal is left to the program, which wraps it to the terminal's width, and so is anything that fails.
 */
function printWritten(words) {
  const [last] = words.slice(-1)
  if (!/^(-V|--version|-h|--help)$/.test(last) || !words.every((word) => /^[a-zV-]+$/.test(word))) return false
  try {
    if (/h/.test(last) && isTerminal(1)) return false
    writeWhole(readFileSync(`${join(dist, 'printed', ...words)}.txt`))
    return true
  } catch {
    return false
  }
}

/** Most output is no device, and tty takes time to load. */
function isTerminal(descriptor) {
  return fstatSync(descriptor).isCharacterDevice() && require('tty').isatty(descriptor)
}

/** To a pipe, too, that takes a part at a time and does not block. */
function writeWhole(bytes) {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at)
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
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
    // Not even the code that reports errors could be loaded.
    fail('too many open files\nhint: raise the limit, for example with ulimit -n 256')
  }
}

function fail(text) {
  writeSync(2, `syn: ${text}\n`)
  process.exitCode = 1
}
