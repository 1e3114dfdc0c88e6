import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { manPages } from '../../man/pages.ts'
import { registry } from '../../src/cli/registry.ts'
import { exitCodes } from '../../src/errors.ts'

const folder = fileURLToPath(new URL('../../man/', import.meta.url))
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { man: string[] }
const pages = await manPages()
const files = [...pages.keys()].sort()

/** A page's source with the hyphens as a reader sees them. */
function pageText(file: string): string {
  return (pages.get(file) ?? '').replaceAll('\\-', '-')
}

test.each(files)('%s is what the tables give; if not, run `npm run man`', (file) => {
  expect(readFileSync(`${folder}${file}`, 'utf8')).toBe(pages.get(file))
})

test('each command has a page, and no page is left over', () => {
  expect(
    readdirSync(folder)
      .filter((name) => name.endsWith('.1'))
      .sort(),
  ).toEqual(files)
  expect(files).toEqual(['syn.1', ...registry.map(({ name }) => `syn-${name}.1`)].sort())
})

test('package.json lists the pages, so that npm installs them', () => {
  expect(manifest.man).toEqual(files.map((file) => `./man/${file}`))
})

test('syn(1) names every command and every exit status', () => {
  const text = pageText('syn.1')
  for (const { name } of registry) expect(text).toContain(`.It Xr syn-${name} 1\n`)
  for (const code of Object.values(exitCodes)) expect(text).toContain(`.It ${code}\n`)
})
