/** Draws the chat again. If only the times differ, the file is not changed. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { drawConversation } from './conversation.ts'
import { withoutTimes } from './times.ts'

const file = new URL('../chat.svg', import.meta.url)
const kept = existsSync(file) ? readFileSync(file, 'utf8') : ''
const drawn = await drawConversation()
if (withoutTimes(drawn) !== withoutTimes(kept)) writeFileSync(file, drawn)
