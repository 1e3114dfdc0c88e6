/** `line-chat.ts` as a program. */

import { main } from '../../src/main.ts'
import { lineChat } from './line-chat.ts'

await main(lineChat)
