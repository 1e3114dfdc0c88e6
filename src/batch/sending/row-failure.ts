/** What the failure of a request means for its row, and for the run. */

import { CutShortError, errorMessage, NetworkError, StatusError, TimeoutError } from '../../errors.ts'
import type { RowError, RowRequest, RowResult } from '../row.ts'

/**
 * - `refused`: by the rate limit or the quota; the row is sent again, however often.
 * - `fault`: of the service or the network; the row is sent again, a few times.
 * - `row`: the request itself is at fault.
 * - `run`: every other request would fail too.
 */
export type Blame = 'refused' | 'fault' | 'row' | 'run'

export function blameFor(error: unknown, { hasOwnModel }: RowRequest): Blame {
  if (error instanceof NetworkError || error instanceof CutShortError) return 'fault'
  if (!(error instanceof StatusError)) return 'run'
  const { status, missing } = error
  if (status === 429) return 'refused'
  if ((status >= 500 && !error.isPermanent) || status === 408) return 'fault'
  const isOfModel = (status === 404 || missing === 'model') && !hasOwnModel
  const isOfRun = status === 401 || status === 402 || missing === 'endpoint' || isOfModel
  return isOfRun ? 'run' : 'row'
}

/** The result of a row without a usable reply. */
export function failedResult(error: unknown, attempts: number): RowResult {
  return { attempts, response: null, error: { code: errorCode(error), message: errorMessage(error) }, isCutOff: false }
}

function errorCode(error: unknown): RowError['code'] {
  if (error instanceof StatusError) return `http_${error.status}`
  if (error instanceof TimeoutError) return 'timeout'
  return error instanceof CutShortError ? 'cut_short' : 'network'
}
