/**
 * The main script of the single file. Its `require` knows the modules of Node only: those of the program are assets, with
 * what V8 made of them when the file was built.
 */
'use strict'

const { writeSync } = require('node:fs')
const { posix } = require('node:path')
const { getRawAsset, isSea } = require('node:sea')
const { Script } = require('node:vm')

/**
 * @param {string} root The folder in which the program seems to be.
 * @param {(name: string) => Buffer} read Returns a file of the package by its path there.
 * @param {(name: string) => Buffer | undefined} readCache Returns the compiled code of one.
 */
function createLoader(root, read, readCache) {
  const modules = new Map()
  const scripts = new Map()

  function compile(name) {
    // The build escapes what is not ASCII.
    const code = `(function (exports, require, module, __filename, __dirname) {${read(name).latin1Slice()}\n})`
    const script = new Script(code, { filename: `${root}/${name}`, cachedData: readCache(name) })
    scripts.set(name, script)
    return script
  }

  function load(name) {
    const known = modules.get(name)
    if (known) return known.exports
    const module = { exports: {} }
    modules.set(name, module)
    const folder = posix.dirname(name)
    const requireFrom = (id) => (id.startsWith('.') ? load(posix.join(folder, id)) : require(id))
    const path = `${root}/${name}`
    const scope = [module.exports, requireFrom, module, path, posix.dirname(path)]
    compile(name).runInThisContext().apply(module.exports, scope)
    return module.exports
  }

  return { compile, load, scripts }
}

const asset = (name) => Buffer.from(getRawAsset(name))

function start() {
  if (printVersion(process.argv.slice(2))) return
  void createLoader('/syn', asset, (name) => asset(`${name}.cache`))
    .load('dist/main.cjs')
    .main()
}

/** Without the program, which takes longest to load. If this fails, the program prints it. As in bin/syn.cjs. */
function printVersion(words) {
  if (words.length !== 1 || !/^(-V|--version)$/.test(words[0])) return false
  try {
    writeSync(1, `${JSON.parse(asset('package.json').toString()).version}\n`)
    return true
  } catch {
    return false
  }
}

if (isSea()) start()
else module.exports = { createLoader }
