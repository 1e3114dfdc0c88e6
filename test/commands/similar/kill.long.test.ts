/** A search that is killed at any moment costs at most what was in flight. */

import { watch } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import {
  answersUntil,
  cleanRun,
  manyFiles,
  manyLines,
  question,
  rankAll,
  startSearch,
  textsIn,
  wellBehaved,
} from '../../helpers/similar.ts'

test('SIGKILL many times in a row, at any request, sends no text that was stored', async () => {
  await using search = await startSearch(manyFiles)
  const clean = await cleanRun(search)
  const sentBefore = new Set<string>()
  for (const last of [1, 2, 4, 3, 2, 5, 1, 3]) {
    const { child, ended } = search.start(rankAll)
    search.answer = answersUntil(last, () => child.kill('SIGKILL'))
    expect(await ended).toMatchObject({ signal: 'SIGKILL', out: '' })
    const sent = textsIn(search)
    expect(sent.filter((text) => sentBefore.has(text)).length).toBeLessThanOrEqual(4 * 64)
    for (const text of sent) sentBefore.add(text)
  }
  search.answer = wellBehaved
  expect(await search.start(rankAll).ended).toMatchObject({ code: 0, out: clean })
  expect(textsIn(search).filter((text) => sentBefore.has(text)).length).toBeLessThanOrEqual(4 * 64)
  expect((await search.search(rankAll)).sent).toEqual([[question]])
})

test.each(['vectors', 'keys'])('SIGKILL while it writes %s leaves a cache that can be read', async (name) => {
  await using search = await startSearch({ 'a.txt': manyLines[0] ?? '' })
  await search.search(['--lines'])
  search.write(manyFiles)
  const clean = await cleanRun(search)
  const { child, ended } = search.start(rankAll)
  using _watcher = watching(dirname(search.cacheFile('keys')), name, () => {
    // The first change is that the cache is opened.
    if (search.sent.length > 1) child.kill('SIGKILL')
  })
  // If the change is seen too late, it has ended.
  await ended
  expect(await search.start(rankAll).ended).toMatchObject({ code: 0, out: clean })
  expect(await search.search(rankAll)).toMatchObject({ out: clean, err: '', sent: [[question]] })
})

/** Calls a function when a file in a folder changes, until it is disposed of. */
function watching(folder: string, name: string, then: () => void): Disposable {
  const watcher = watch(folder, (_event, changed) => void (changed === name && then()))
  return { [Symbol.dispose]: () => watcher.close() }
}
