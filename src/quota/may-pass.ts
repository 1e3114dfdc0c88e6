import { NetworkError, StatusError } from '../errors.ts'

/** Statuses of a key or an address that is wrong, and stays so. */
const lasting = new Set([401, 403, 404])

/** Whether somebody who asks again and again should go on after this failure: a network is away, and comes back. */
export function mayPass(error: unknown): error is NetworkError | StatusError {
  return error instanceof NetworkError || (error instanceof StatusError && !lasting.has(error.status))
}
