import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  name: string
  version: string
  license?: string
}

/**
 * Returns the notice that the licenses of bundled packages require.
 * @param inputs Paths of bundled files below `root`, relative to it.
 * @throws Error if a package has no license text.
 */
export function thirdPartyNotice(root: string, inputs: readonly string[]): string {
  const folders = new Set(inputs.map(packageFolderOf).filter((folder) => folder !== undefined))
  const notices = [...folders].toSorted().map((folder) => noticeOf(join(root, folder)))
  return ['syn contains these packages, under the licenses given with each.\n', ...notices].join(
    `\n${'='.repeat(78)}\n\n`,
  )
}

/** `node_modules/@a/b/lib/c.js` → `node_modules/@a/b`; for nested packages, the innermost. */
function packageFolderOf(input: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  if (texts.length === 0) throw new Error(`${name}: no license text found in ${folder}`)
  return `${name} ${version} (${license ?? 'see below'})\n\n${texts.join('\n\n')}\n`
}
