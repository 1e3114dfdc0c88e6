/** The list is cached for an hour; `--refresh` fetches it again. */

import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { list } from '../../helpers/models.ts'
import { emptyFolder, runSyn, type Outcome } from '../../helpers/run-syn.ts'
import { json, startService, type Service } from '../../helpers/service.ts'

function remembering(home: string, service: Service): (...argv: string[]) => Promise<Outcome> {
  return (...argv) => runSyn(['models', ...argv], { env: { ...service.env, HOME: home } })
}

/** Makes the cache older. */
function age(home: string, milliseconds: number): void {
  const folder = join(home, '.cache', 'syn')
  const [file = ''] = readdirSync(folder)
  const entry = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { saved: number }
  writeFileSync(join(folder, file), JSON.stringify({ ...entry, saved: entry.saved - milliseconds }))
}

test('it is fetched once an hour, for all output formats', async () => {
  await using service = await startService(json(list), json({ data: [{ id: 'hf:new/one' }] }))
  const home = emptyFolder()
  const models = remembering(home, service)
  expect((await models('--json')).out).toBe(`${JSON.stringify(list)}\n`)
  for (const argv of [[], ['--ids'], ['--json']]) {
    expect(await models(...argv)).toMatchObject({ code: 0, err: '' })
  }
  expect(service.asked).toHaveLength(1)
  age(home, 3_590_000)
  expect((await models('--ids')).out).not.toContain('hf:new/one')
  age(home, 10_001)
  expect((await models('--ids')).out).toContain('hf:new/one')
  expect(service.asked).toHaveLength(2)
})

test('--refresh fetches the list and updates the cache', async () => {
  await using service = await startService(json(list), json({ data: [{ id: 'hf:new/one' }] }))
  const models = remembering(emptyFolder(), service)
  await models()
  expect((await models('--refresh')).out).toContain('hf:new/one')
  expect((await models('--ids')).out).toContain('hf:new/one')
  expect(service.asked).toHaveLength(2)
})

test('a list without models is not cached', async () => {
  await using service = await startService(json({ data: [] }), json(list))
  const models = remembering(emptyFolder(), service)
  const { code, out, err } = await models('--ids')
  expect({ code, err }).toEqual({ code: 0, err: 'syn: the service lists no models\n' })
  expect(out).toBe('syn:large:text\nsyn:small:text\nsyn:large:vision\nsyn:small:vision\n')
  expect((await models('--ids')).out).toContain('hf:zai-org/GLM-4.7\n')
})

const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`

test.each([
  ['with rows that are no objects', (text: string) => text.replace(/"data":\[.*\]/, '"data":[1,null,"x",[]]')],
  ['nested too deeply', (text: string) => text.replace('"data":[', `"x":${deep},"data":[`)],
])('a damaged cache counts as none: %s', async (_how, damage) => {
  await using service = await startService(json(list))
  const home = emptyFolder()
  const models = remembering(home, service)
  const fetched = await models('--json')
  const folder = join(home, '.cache', 'syn')
  const path = join(folder, readdirSync(folder)[0] ?? '')
  const damaged = damage(readFileSync(path, 'utf8'))
  writeFileSync(path, damaged)
  expect(await models('--json')).toEqual({ ...fetched, code: 0 })
  expect(service.asked).toHaveLength(2)
})
