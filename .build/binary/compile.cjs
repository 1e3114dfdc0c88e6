/**
 * Runs the program from a folder, and writes what V8 has compiled of each FILE to FILE.cache. It begins with the caches of earlier
 * runs: V8 compiles a function when it is first called, so each run adds some.
 *
 * Usage: node compile.cjs FOLDER FILE... -- WORD...
 */
'use strict'

const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { createLoader } = require('./main.cjs')

const [folder, ...others] = process.argv.slice(2)
const end = others.indexOf('--')
const files = others.slice(0, end)
process.argv.splice(2, end + 2)

const cacheOf = (name) => join(folder, `${name}.cache`)
const { compile, load, scripts } = createLoader(
  folder,
  (name) => readFileSync(join(folder, name)),
  (name) => (existsSync(cacheOf(name)) ? readFileSync(cacheOf(name)) : undefined),
)

// Before the program's own listeners, one of which ends the process.
process.on('exit', () => {
  for (const name of files) writeFileSync(cacheOf(name), (scripts.get(name) ?? compile(name)).createCachedData())
})

void load('dist/main.cjs').main()
