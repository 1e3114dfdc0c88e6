/** `syn models` on a real terminal: what a person sees. */

import { expect, test } from 'vitest'
import { list } from '../../helpers/models.ts'
import { json, startService } from '../../helpers/service.ts'
import { draw, type DrawOptions } from '../../helpers/draw.ts'
import type { Picture } from '../../helpers/picture.ts'

async function shown(argv: string[], answer: unknown, options: DrawOptions): Promise<Picture> {
  await using service = await startService(json(answer))
  const screen = await draw(['models', ...argv], { ...options, env: service.env })
  expect(screen.code).toBe(0)
  return screen
}

test.each<[columns: number, lines: string[]]>([
  [
    110,
    [
      'MODEL                              CONTEXT  $/M IN  $/M OUT  INPUT        EFFORTS     FEATURES',
      'hf:zai-org/GLM-4.7                    198k    0.55     2.19  text         none, high  tools, json_mode, reaso…',
      'hf:Qwen/Qwen3-VL                      256k    0.10     0.40  text, image              tools',
      'hf:nomic-ai/nomic-embed-text-v1.5       8k    0.00',
    ],
  ],
  [40, ['MODEL', 'hf:zai-org/GLM-4.7', 'hf:Qwen/Qwen3-VL', 'hf:nomic-ai/nomic-embed-text-v1.5']],
])('in %i columns', async (columns, rows) => {
  const screen = await shown([], list, { columns })
  const aliases = [
    'ALIAS             MODEL',
    'syn:large:text    hf:zai-org/GLM-4.7',
    'syn:large:vision  hf:Qwen/Qwen3-VL',
  ]
  expect(screen.lines()).toEqual([...rows, '', ...aliases, 'syn:small:text    unknown', 'syn:small:vision  unknown'])
  expect(screen.cellOf('MODEL').isBold()).toBeTruthy()
  expect(screen.cellOf('hf:').isBold()).toBeFalsy()
})
