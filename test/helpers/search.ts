/** Runs `syn search` against a service with given results. */

import { runSyn, type Outcome, type RunOptions } from './run-syn.ts'
import { json, startService, type Answer, type Asked } from './service.ts'

/** Results of a service: one row has all keys, the others lack some. */
export const found = {
  results: [
    {
      url: 'https://example.com/tower',
      title: 'The tower',
      text: 'It is 330 metres tall.\nThe tower opened in 1889.',
      highlights: ['330 metres'],
      published: '2025-11-05T10:00:00.000Z',
    },
    { url: 'https://example.org/a?b=c&d', title: null, highlights: ['one', 'two'], published: null },
    { url: 'https://example.net/' },
  ],
}

export interface SearchOptions extends RunOptions {
  /** The service's reply (default: the results above). */
  answer?: Answer
}

export async function search(argv: string[], options: SearchOptions = {}): Promise<Outcome & { asked: Asked[] }> {
  const { answer = json(found), env, ...others } = options
  await using service = await startService(answer)
  const outcome = await runSyn(['search', ...argv], { ...others, env: { ...service.env, ...env } })
  return { ...outcome, asked: service.asked }
}
