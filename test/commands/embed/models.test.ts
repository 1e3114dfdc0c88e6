/** The choice of the embedding model, and the hint for one that was rotated out. */

import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { embed, type EmbedOptions } from '../../helpers/embed.ts'
import { emptyFolder, runSyn } from '../../helpers/run-syn.ts'
import { json } from '../../helpers/service.ts'

const embedder = { id: 'hf:org/embedder-2', output_modalities: ['embedding'] }
const others = [
  'a malformed row',
  { id: 'hf:org/chatter', output_modalities: ['text'] },
  { id: 'syn:embed', hugging_face_id: 'org/embedder-2' },
]
const unnamed = { SYN_EMBED_MODEL: '' }
const documented = 'hf:nomic-ai/nomic-embed-text-v1.5'

function listing(...rows: unknown[]): EmbedOptions {
  return { env: unnamed, models: json({ data: [...rows, ...others] }) }
}

async function modelSentBy(argv: string[], options: EmbedOptions): Promise<unknown> {
  const { code, err, asked } = await embed([...argv, 'hi'], options)
  expect({ code, err, requests: asked.length }).toEqual({ code: 0, err: '', requests: 1 })
  const [{ json: body } = { json: {} }] = asked
  return (body as { model?: unknown }).model
}

test('the model is the flag’s, then the environment’s, then the profile’s, then the only one listed', async () => {
  const home = emptyFolder()
  const env = { HOME: home, SYN_EMBED_MODEL: 'hf:of/environment', SYN_MODEL: 'hf:of/chat' }
  const options = { ...listing(embedder), env }
  expect(await modelSentBy(['-m', 'hf:of/flag'], options)).toBe('hf:of/flag')
  expect(await modelSentBy([], options)).toBe('hf:of/environment')
  expect((await runSyn(['config', 'set', 'embed-model', 'hf:of/profile'], { env: { HOME: home } })).code).toBe(0)
  expect(await modelSentBy([], { ...options, env: { ...env, ...unnamed } })).toBe('hf:of/profile')
  const profileless = { SYN_MODEL: 'hf:of/chat', ...unnamed }
  expect(await modelSentBy([], { ...options, env: profileless })).toBe('hf:org/embedder-2')
})

describe('the documented model', () => {
  test.each([
    ['none is listed', listing()],
    ['there is no list', { env: unnamed, models: json({ error: 'API route not found' }, 404) }],
  ])('is taken where %s', async (_why, options) => {
    expect(await modelSentBy([], options)).toBe(documented)
  })

  test('a 404 for it says how to name another', async () => {
    const { code, err } = await embed(['hi'], { ...listing(), answer: () => json({ error: 'No such model' }, 404) })
    expect(code).toBe(4)
    expect(err).toContain('rotated out. Use -m hf:NAME for one run, or syn config set embed-model hf:NAME for all')
  })
})

describe('without a model nothing is sent', () => {
  test.each<[title: string, options: EmbedOptions, reason: string]>([
    [
      'none is listed by another service',
      { env: unnamed, models: json({ data: [{ id: 'chatter' }] }) },
      ', and no list names one',
    ],
    [
      'several are listed',
      listing(embedder, { id: 'hf:x/embed\u001b[2J' }),
      ' (available: hf:org/embedder-2, hf:x/embed␛[2J)',
    ],
  ])('%s', async (_title, options, reason) => {
    const { code, out, err, asked } = await embed(['hi'], options)
    expect({ code, out, asked }).toEqual({ code: 2, out: '', asked: [] })
    expect(err).toMatch(`syn: no embedding model set${reason}\nhint: use -m `)
  })
})

describe('a preview sends no request', () => {
  test('it uses the cached model', async () => {
    const home = emptyFolder()
    const first = await embed(['hi'], { ...listing(embedder), env: { ...unnamed, HOME: home } })
    expect(first.code).toBe(0)
    const folder = join(home, '.cache/syn')
    const [file = ''] = readdirSync(folder)
    // However old the cache is: a preview needs no key.
    const entry = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { baseUrl: string; saved: number }
    writeFileSync(join(folder, file), JSON.stringify({ ...entry, saved: 0 }))
    const { code, out } = await runSyn(['embed', '--dry-run', '-q', 'hi'], {
      env: { HOME: home, SYN_BASE_URL: entry.baseUrl },
    })
    expect({ code, body: JSON.parse(out) as unknown }).toEqual({
      code: 0,
      body: { model: 'hf:org/embedder-2', input: 'hi' },
    })
  })

  test('without a cached list, it is the documented one', async () => {
    const { code, out } = await runSyn(['embed', '--dry-run', '-q', 'hi'])
    expect({ code, body: JSON.parse(out) as unknown }).toEqual({ code: 0, body: { model: documented, input: 'hi' } })
  })
})

describe('a model that was rotated out: exit 4', () => {
  const gone = { answer: () => json({ error: 'The model is gone' }, 404) }

  test('with the available ones, most similar first', async () => {
    const models = json({ data: [{ id: 'hf:else/embeddings' }, embedder, ...others] })
    const { code, out, err } = await embed(['hi'], { ...gone, models })
    expect({ code, out }).toEqual({ code: 4, out: '' })
    const advice = 'the model may have been rotated out; available: hf:org/embedder-2, hf:else/embeddings'
    expect(err).toBe(`syn: The model is gone (404 Not Found)\nhint: ${advice}\n`)
  })
})
