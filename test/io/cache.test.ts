/** The model list is fetched once an hour for each service, and only the user can read the cache. */

import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCache, writeCache } from '../../src/io/files/cache.ts'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, events, json, startService, type Service } from '../helpers/service.ts'
import { expectMode } from '../helpers/modes.ts'

const pricing = { prompt: '$0.001', completion: '0.01' }

function serve(): Promise<Service> {
  return startService((asked, response) =>
    asked.path.endsWith('/models')
      ? json({ data: [{ id: 'syn:large:text', pricing }] })(asked, response)
      : events(chatAnswer(['Hello']))(asked, response),
  )
}

function listings({ asked }: Service): number {
  return asked.filter(({ path }) => path.endsWith('/models')).length
}

async function price(service: Service, home: string): Promise<boolean> {
  return (await runSyn(['chat', '-u', 'hi'], { env: { ...service.env, HOME: home } })).err.includes('$0.023')
}

test('it is requested once, and cached for the same service only', async () => {
  await using service = await serve()
  await using other = await serve()
  const home = emptyFolder()
  expect([await price(service, home), await price(service, home), await price(other, home)]).toEqual([true, true, true])
  expect([listings(service), listings(other)]).toEqual([1, 1])
  const folder = join(home, '.cache', 'syn')
  expectMode(folder, '700')
  for (const file of readdirSync(folder)) expectMode(join(folder, file), '600')
})

test('a damaged or old file is replaced', async () => {
  await using service = await serve()
  const home = emptyFolder()
  await price(service, home)
  const [file = ''] = readdirSync(join(home, '.cache', 'syn'))
  const path = join(home, '.cache', 'syn', file)
  const entry = JSON.parse(readFileSync(path, 'utf8')) as { saved: number }
  writeFileSync(path, JSON.stringify({ ...entry, saved: entry.saved - 3_600_001 }))
  expect(await price(service, home)).toBe(true)
  // A clock that was set back.
  writeFileSync(path, JSON.stringify({ ...entry, saved: entry.saved + 7_200_000 }))
  expect(await price(service, home)).toBe(true)
  writeFileSync(path, '{"saved":')
  expect(await price(service, home)).toBe(true)
  expect(listings(service)).toBe(4)
})

test('a cache that cannot be written causes no failure', async () => {
  await using service = await serve()
  const home = emptyFolder()
  writeFileSync(join(home, '.cache'), 'a file where the folder would be')
  expect(await price(service, home)).toBe(true)
})

test('the sandbox’s list is not cached', async () => {
  const home = emptyFolder()
  const { code } = await runSyn(['chat', '--sandbox', '-u', 'hi'], { env: { HOME: home } })
  expect(code).toBe(0)
  expect(() => readdirSync(join(home, '.cache'))).toThrow('ENOENT')
})

test('each service and name has its own entry', async () => {
  const io = { env: { HOME: emptyFolder() }, platform: 'linux', now: () => 7, user: undefined } as const
  await writeCache('models', 'https://a', [1], io)
  await writeCache('search', 'https://a', 'path', io)
  expect(readCache('models', 'https://a', io)).toMatchObject({ value: [1], saved: 7 })
  expect(readCache('search', 'https://a', io)).toMatchObject({ value: 'path', saved: 7 })
  expect(readCache('models', 'https://b', io)).toBeUndefined()
  await writeCache('models', 'https://a.example', ['one'], io)
  // Its file has the same name.
  expect(readCache('models', 'https://a-example', io)).toBeUndefined()
})
