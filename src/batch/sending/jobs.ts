/** `--jobs`: how many requests may be in flight. */

import { UsageError } from '../../errors.ts'
import { quote } from '../../io/json.ts'
import type { Jobs } from './concurrency.ts'

export const autoJobs: Jobs = { min: 1, max: 64 }

/** Each needs a connection. */
const most = 1000

/** @throws UsageError for anything but `auto`, `N` or `MIN-MAX`. */
export function parseJobs(text: string): Jobs {
  if (text === 'auto') return autoJobs
  const [, first, second = first] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? []
  const [min, max] = [Number(first), Number(second)]
  if (min >= 1 && min <= max && max <= most) return { min, max }
  throw new UsageError(
    `--jobs: ${quote(text)} is not accepted; expected auto, a number from 1 to ${most}, or a range such as 4-32`,
  )
}
