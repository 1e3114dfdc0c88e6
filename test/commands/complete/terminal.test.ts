/** `syn complete` on a real terminal. */

import { describe, expect, test } from 'vitest'
import { end, streamed, token } from '../../helpers/complete.ts'
import { startService, type Answer } from '../../helpers/service.ts'
import { draw, type DrawOptions } from '../../helpers/draw.ts'
import type { Picture } from '../../helpers/picture.ts'

/** The screen after a successful run. */
async function shown(argv: string[], answer: Answer, { env, ...options }: DrawOptions = {}): Promise<Picture> {
  await using service = await startService(answer)
  const screen = await draw(['complete', ...argv], { ...options, env: { ...service.env, ...env } })
  expect(screen.code).toBe(0)
  return screen
}

const [green, yellow, red] = [40, 184, 196]
const legend = 'syn: probability 0% ■■■■■■■■■■ 100%'
const probable = streamed(token('Once', null), token(' upon', -0.01), token(' a', -0.6), token(' goat', -4), end())

describe('--logprobs', () => {
  test('colors each token by its probability, with a legend below', async () => {
    const screen = await shown(['--logprobs', '1', '--echo', 'Once'], probable)
    expect(screen.lines()).toEqual(['Once upon a goat', legend])
    const colors = ['upon', 'a goat', 'goat'].map((text) => screen.cellOf(text).getFgColor())
    expect(colors).toEqual([green, yellow, red])
    expect(screen.cellOf('Once').isFgDefault()).toBe(true)
    expect([screen.cellOf('■').getFgColor(), screen.cellOf('■ 100').getFgColor()]).toEqual([red, green])
  })

  test('--quiet: no legend', async () => {
    expect((await shown(['-q', '--logprobs', '1', 'x'], probable)).lines()).toEqual(['Once upon a goat'])
  })

  test('--no-color: no color, and no legend', async () => {
    const screen = await shown(['--no-color', '--logprobs', '1', 'x'], probable)
    expect(screen.lines()).toEqual(['Once upon a goat'])
    expect(screen.cellOf('goat').isFgDefault()).toBe(true)
  })
})

test('headings are bold, and probabilities stay with their completion', async () => {
  const answer = streamed(token('a', -0.01), token('b', -4, 1), token('c', -4), end('stop', 1), end())
  const screen = await shown(['--n', '2', '--logprobs', '1', 'x'], answer)
  expect(screen.lines()).toEqual(['Completion 1', 'ac', '', 'Completion 2', 'b', legend])
  expect(screen.cellOf('Completion 1').isBold()).toBeTruthy()
  expect(['ac', 'c', 'b'].map((text) => screen.cellOf(text).getFgColor())).toEqual([green, red, red])
})
