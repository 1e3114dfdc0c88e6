/** Writes the man pages next to this file and lists them in package.json, so that npm installs them. */

import { readFileSync, writeFileSync } from 'node:fs'
import { manPages } from './pages.ts'

const pages = await manPages()
for (const [file, text] of pages) writeFileSync(new URL(file, import.meta.url), text)

const manifest = new URL('../package.json', import.meta.url)
const fields = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, unknown>
fields.man = [...pages.keys()].map((file) => `./man/${file}`).toSorted()
writeFileSync(manifest, `${JSON.stringify(fields, null, 2)}\n`)
