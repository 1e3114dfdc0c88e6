/** The picture in the README shows the current chat. Needs the build, which `npm run test:long` makes first. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { drawConversation } from '../../../man/picture/conversation.ts'
import { withoutTimes } from '../../../man/picture/times.ts'

test('the picture shows the current chat; if not, run `npm run picture`', async () => {
  const picture = readFileSync(new URL('../../../man/chat.svg', import.meta.url), 'utf8')
  expect(withoutTimes(picture)).toBe(withoutTimes(await drawConversation()))
})
