/** The axes of the table, in its order. */

import { bodies } from './axes/body.ts'
import { connection } from './axes/connection.ts'
import { encoding } from './axes/encoding.ts'
import { end } from './axes/end.ts'
import { errorShapes } from './axes/error-shape.ts'
import { redirects } from './axes/redirect.ts'
import { retryAfter } from './axes/retry-after.ts'
import { statuses } from './axes/status.ts'
import { time } from './axes/time.ts'
import type { Axis } from './cases.ts'

export const axes: readonly Axis[] = [
  connection,
  end,
  bodies,
  encoding,
  redirects,
  errorShapes,
  retryAfter,
  statuses,
  time,
]
