/** Writes the config file: the only importer of conf. */

import { basename, dirname } from 'node:path'
import { FailedError } from '../errors.ts'
import { withLock } from '../io/private.ts'
import { readConfigFile, readDocument, type Document } from './document.ts'

/**
 * Reads, changes and writes the file while no other run does; what two runs change at the same time is kept of both.
 * @throws UsageError for a damaged file, which stays as it is.
 * @throws FailedError when the file can't be written.
 */
export async function changeDocument(path: string, change: (document: Document) => Document): Promise<void> {
  await withLock(path, async () => {
    await write(path, `${JSON.stringify(change(readDocument(path)), undefined, 2)}\n`)
  })
}

/**
 * Writes the file's whole text.
 * @param before What stood there when the text was made from it.
 * @throws FailedError when something else stands there by now, or the file can't be written.
 */
export async function replaceText(path: string, before: Uint8Array | undefined, text: string): Promise<void> {
  await withLock(path, async () => {
    if (Buffer.compare(readConfigFile(path) ?? Buffer.of(), before ?? Buffer.of()) !== 0) {
      throw new FailedError(`${path} was changed by another run meanwhile`)
    }
    await write(path, text)
  })
}

/** conf replaces the file in one step, and the target of a link rather than the link. */
async function write(path: string, text: string): Promise<void> {
  const { default: Conf } = await import('conf')
  const conf = new Conf({
    cwd: dirname(path),
    configName: basename(path, '.json'),
    accessPropertiesByDotNotation: false,
    configFileMode: 0o600,
    serialize: () => text,
    // conf reads the file by itself as well, but neither strictly nor with errors fit to show.
    deserialize: () => ({}),
  })
  conf.store = {}
}
