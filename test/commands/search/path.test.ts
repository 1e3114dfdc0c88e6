/** The path of the search: the specification's or the versioned one, whichever answers. It is cached. */

import { describe, expect, test } from 'vitest'
import { emptyFolder, runSyn, type Outcome } from '../../helpers/run-syn.ts'
import { found } from '../../helpers/search.ts'
import { json, startService, type Answer, type Service } from '../../helpers/service.ts'

const absent: Record<number, Answer> = {
  404: json({ error: 'API route not found' }, 404),
  405: json({ error: 'Method not allowed' }, 405),
}

/** A service that has one path, or another one later. */
async function serve(knows: { path: string; otherwise?: Answer }): Promise<Service> {
  return startService((asked, response) => {
    const answer = asked.path === knows.path ? json(found) : (knows.otherwise ?? absent[404])
    return answer?.(asked, response)
  })
}

function search(service: Service, home: string, ...flags: string[]): Promise<Outcome> {
  return runSyn(['search', '--urls', ...flags, 'tower'], { env: { ...service.env, HOME: home } })
}

const good = { code: 0, err: '', out: found.results.map(({ url }) => `${url}\n`).join('') }

function pathsOf({ asked }: Service): string[] {
  return asked.splice(0).map(({ path }) => path)
}

test.each([404, 405])('after %i the other path is tried, and then the one that answered is kept', async (status) => {
  const home = emptyFolder()
  const knows = { path: '/v2/search', otherwise: absent[status] as Answer }
  await using service = await serve(knows)
  expect(await search(service, home)).toEqual(good)
  expect(pathsOf(service)).toEqual(['/search', '/v2/search'])
  expect(await search(service, home)).toEqual(good)
  expect(pathsOf(service)).toEqual(['/v2/search'])
  expect((await search(service, home, '--dry-run')).err).toContain('/v2/search\n')
  expect((await search(service, home, '--curl')).out).toContain('/v2/search')

  knows.path = '/search'
  expect(await search(service, home)).toEqual(good)
  expect(pathsOf(service)).toEqual(['/v2/search', '/search'])
  expect(await search(service, home)).toEqual(good)
  expect(pathsOf(service)).toEqual(['/search'])
})

test('the cache is per service', async () => {
  const home = emptyFolder()
  await using versioned = await serve({ path: '/v2/search' })
  await using plain = await serve({ path: '/search' })
  for (const service of [versioned, plain, versioned]) expect(await search(service, home)).toEqual(good)
  expect([pathsOf(versioned), pathsOf(plain)]).toEqual([['/search', '/v2/search', '/v2/search'], ['/search']])
})

describe('neither path exists', () => {
  test.each([404, 405])('%i: a hint about the base URL', async (status) => {
    await using service = await serve({ path: '', otherwise: absent[status] as Answer })
    const { code, out, err } = await search(service, emptyFolder())
    expect({ code, out }).toEqual({ code: 4, out: '' })
    expect(err).toMatch(/^syn: .+\nhint: check the base URL: syn config get base-url\n$/)
    expect(pathsOf(service)).toEqual(['/search', '/v2/search'])
  })
})

test.each([400, 500])('after %i no other path is tried', async (status) => {
  await using service = await serve({ path: '', otherwise: json({ error: 'no' }, status) })
  expect((await search(service, emptyFolder(), '--retries', '0')).code).not.toBe(0)
  expect(pathsOf(service)).toEqual(['/search'])
})

test.each([401, 403])('after %i at both paths, the error is that refusal', async (status) => {
  await using service = await serve({ path: '', otherwise: json({ error: 'no' }, status) })
  expect(await search(service, emptyFolder())).toMatchObject({
    code: 3,
    err: expect.stringContaining('check the API key'),
  })
  expect(pathsOf(service)).toEqual(['/search', '/v2/search'])
})
