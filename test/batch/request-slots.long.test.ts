/** A hundred chats beside a batch: see `turns.e2e.test.ts`. */

import { test } from 'vitest'
import { chatsBesideBatch } from './beside-batch.ts'

test('a hundred chats beside a batch are each answered after at most one row', () => chatsBesideBatch(100))
