#!/usr/bin/env node
import module from 'node:module'

// Node 22.8 and newer keep compiled code between runs.
module.enableCompileCache?.()

await import('../dist/main.js')
