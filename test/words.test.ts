/** Everything that people read here, code included, is in plain words and American spelling. */

import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Fixtures have the words of others, and the list itself. */
const skipped = /(^|\/)(fixtures|words\.test\.ts)(\/|$)|\.svg$/

const rules = readFileSync(join(root, 'test/fixtures/words-to-avoid.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [pattern = '', advice = ''] = line.split(': ')
    return { pattern: new RegExp(String.raw`\b(?:${pattern})\b`, 'i'), advice }
  })

function filesBelow(path: string): string[] {
  if (skipped.test(path)) return []
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path)).flatMap((name) => filesBelow(`${path}/${name}`))
}

/** All rules: few files have a line for one. */
const any = new RegExp(rules.map(({ pattern }) => pattern.source).join('|'), 'i')

/** `README.md:12: "colour": color` */
function findings(path: string, text: string): string[] {
  if (!any.test(text)) return []
  return text.split('\n').flatMap((line, index) =>
    rules.flatMap(({ pattern, advice }) => {
      const [found] = pattern.exec(line) ?? []
      return found === undefined ? [] : [`${path}:${index + 1}: "${found}": ${advice}`]
    }),
  )
}

test('no text has words to avoid', () => {
  const paths = ['README.md', 'CHANGELOG.md', 'package.json', '.github', '.ci', '.build', 'bin', 'man', 'src', 'test']
  const files = paths.flatMap(filesBelow)
  expect(files.length).toBeGreaterThan(400)
  expect(files.flatMap((path) => findings(path, readFileSync(join(root, path), 'utf8')))).toEqual([])
})

test('the rules find a word, and leave others alone', () => {
  expect(findings('a.md', 'Colors\nof any Colour')).toEqual(['a.md:2: "Colour": color'])
  expect(findings('a.md', 'otherwise, a promise of colored wheels')).toEqual([])
})
