/** The path of the search: the specification's or the versioned one, whichever answers. It is cached. */

import { expect, test } from 'vitest'
import { emptyFolder, runSyn, type Outcome } from '../../helpers/run-syn.ts'
import { found } from '../../helpers/search.ts'
import { json, startService, type Answer, type Service } from '../../helpers/service.ts'

const absent = json({ error: 'API route not found' }, 404)

/** A service that has one path, or another one later. */
async function serve(knows: { path: string; otherwise?: Answer }): Promise<Service> {
  return startService((asked, response) => {
    const answer = asked.path === knows.path ? json(found) : (knows.otherwise ?? absent)
    return answer(asked, response)
  })
}

function search(service: Service, home: string, ...flags: string[]): Promise<Outcome> {
  return runSyn(['search', '--urls', ...flags, 'tower'], { env: { ...service.env, HOME: home } })
}

const good = { code: 0, err: '', out: found.results.map(({ url }) => `${url}\n`).join('') }

function pathsOf({ asked }: Service): string[] {
  return asked.splice(0).map(({ path }) => path)
}

test('after 404 the other path is tried, and then the one that answered is kept', async () => {
  const home = emptyFolder()
  const knows = { path: '/v2/search' }
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

test('neither path exists: a hint about the base URL', async () => {
  await using service = await serve({ path: '', otherwise: json({ error: 'Method not allowed' }, 405) })
  const { code, out, err } = await search(service, emptyFolder())
  expect({ code, out }).toEqual({ code: 4, out: '' })
  expect(err).toMatch(/^syn: .+\nhint: check the base URL: syn config get base-url\n$/)
  expect(pathsOf(service)).toEqual(['/search', '/v2/search'])
})

test('after 401 at both paths, the error is that refusal', async () => {
  await using service = await serve({ path: '', otherwise: json({ error: 'no' }, 401) })
  expect(await search(service, emptyFolder())).toMatchObject({
    code: 3,
    err: expect.stringContaining('check the API key'),
  })
  expect(pathsOf(service)).toEqual(['/search', '/v2/search'])
})
