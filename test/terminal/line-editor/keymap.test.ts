/** The key help lists only keys that are bound. */

import { expect, test } from 'vitest'
import { keyHelp, keymap } from '../../../src/terminal/line-editor/keymap.ts'

const keys = keyHelp.flatMap(({ keys }) => keys.split(', '))

test.each(keys)('%s is bound', (key) => {
  const name = key.toLowerCase().replace('enter', 'return').replace('esc', 'escape')
  expect(keymap[name]).toBeDefined()
})
