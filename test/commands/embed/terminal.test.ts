/** `syn embed` on a real terminal: what a person sees. */

import { describe, expect, test } from 'vitest'
import { changed, wellBehaved } from '../../helpers/embed.ts'
import { startService, type Answer } from '../../helpers/service.ts'
import { draw, type DrawOptions } from '../../helpers/draw.ts'
import type { Picture } from '../../helpers/picture.ts'

interface Asking extends DrawOptions {
  answer?: Answer
}

async function shown(argv: string[], { answer = wellBehaved, env, ...options }: Asking = {}): Promise<Picture> {
  await using service = await startService(answer)
  const screen = await draw(['embed', '-m', 'hf:a/b', ...argv], { ...options, env: { ...service.env, ...env } })
  expect({ code: screen.code, lines: screen.lines() }).toEqual({ code: 0, lines: screen.lines() })
  return screen
}

/** A service that returns the given embeddings. */
function given(...vectors: number[][]): Answer {
  return changed((reply) => ({ data: reply.data.map((item, at) => ({ ...item, embedding: vectors[at] })) }))
}

describe('a summary of each embedding', () => {
  const long = 'A text that is longer than any terminal is wide, so that it has to be cut somewhere, wherever that is.'
  const answer = given([3, -4, 0, 0.5], [0, 0, 0, 0])

  test('on 80 columns', async () => {
    expect((await shown([long, 'two\nlines'], { answer })).lines()).toEqual([
      '0  A text that is longer than any terminal is wide, so that it has to be cut so…',
      '   4 dimensions · 3.0000 -4.0000 0.0000 0.5000',
      '1  two lines',
      '   4 dimensions · 0.0000 0.0000 0.0000 0.0000',
    ])
  })
})

test('other formats are written unchanged', async () => {
  expect((await shown(['--format', 'csv', 'hi'])).lines()).toEqual(['index,v0,v1,v2', '0,2,104,1'])
})
