/** What is said of the keys, against what they do. */

import { expect, test } from 'vitest'
import { keyHelp, keymap } from '../../../src/terminal/line-editor/keymap.ts'

const keys = keyHelp.flatMap(({ keys }) => keys.split(', ')).filter((key) => key !== '"""')

test.each(keys)('%s does something', (key) => {
  const name = key.toLowerCase().replace('enter', 'return')
  expect(keymap[name]).toBeDefined()
})
