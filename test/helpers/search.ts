/** Runs `syn search` against a service with given results. */

import { asking } from './asking.ts'
import { json } from './service.ts'

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

export const { run: search } = asking('search', json(found))
