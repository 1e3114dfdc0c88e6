/** `--on-limit wait`: sends a refused request again when the quota has come back. */

import { RateLimitError } from '../api/failures.ts'
import type { Sender } from '../api/operations.ts'
import { exhaustedBlock } from '../api/quota.ts'
import { isTransient } from '../api/retry-policy.ts'
import { StatusError } from '../errors.ts'
import type { JsonObject } from '../io/json/json.ts'
import { createWaiter, type WaitContext, waitForRenewal } from './guard.ts'
import { readQuota } from './record.ts'

export type WaitAtLimit = ReturnType<typeof waitAtLimit>

/**
 * For the requests of a run: those that are refused while one waits share its wait. The longest wait counts from the last answer.
 * @param onWait Called when a wait begins, and when requests are sent again.
 * @returns a function that calls `attempt` again after each wait, unless any of the answer has arrived. It throws as `attempt`
 *   and as `waitForRenewal`.
 */
export function waitAtLimit(
  client: Sender,
  context: Omit<WaitContext, 'waiter'> & { readonly maxWait: number | undefined },
  onWait?: (isWaiting: boolean) => void,
) {
  let waiting: Promise<void> | undefined
  const waiter = createWaiter(context.io, context.maxWait)
  const read = (oneAttempt = false): Promise<JsonObject> =>
    readQuota(client, undefined, { oneAttempt, signal: context.io.signal })
  // When it cannot be read any more, the request tells.
  const readAgain = () => read().catch((error: unknown) => (isTransient(error) ? Promise.reject(error) : {}))
  const wait = async (error: StatusError): Promise<void> => {
    const sent = error instanceof RateLimitError ? error.quota : undefined
    const record = sent ?? (await read(true).catch(() => ({})))
    const spent = exhaustedBlock(record, true)
    // Credit does not come back by itself.
    if (!spent || (error.isPermanent && spent.renewal?.time === undefined)) throw error
    onWait?.(true)
    await waitForRenewal(readAgain, { wait: true }, { ...context, record, waiter })
    onWait?.(false)
  }
  return async <Reply>(attempt: () => Promise<Reply>, hasBegun?: () => boolean): Promise<Reply> => {
    for (;;) {
      await waiting
      try {
        const reply = await attempt()
        waiter.reset()
        return reply
      } catch (error) {
        if (!(error instanceof StatusError) || !error.isUsedUp || hasBegun?.()) throw error
        await (waiting ??= wait(error).finally(() => (waiting = undefined)))
      }
    }
  }
}
