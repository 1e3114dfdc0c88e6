/** Runs a command against a service that gives every request the same reply. */

import { expect } from 'vitest'
import { runSyn, type Outcome, type RunOptions } from './run-syn.ts'
import { startService, type Answer, type Asked } from './service.ts'

export interface AskingOptions extends RunOptions {
  /** The service's reply (default: the command's usual one). */
  answer?: Answer
}

interface AskedOutcome extends Outcome {
  asked: Asked[]
}

export function asking(command: string, usualAnswer: Answer) {
  async function run(argv: string[], options: AskingOptions = {}): Promise<AskedOutcome> {
    const { answer = usualAnswer, env, ...others } = options
    await using service = await startService(answer)
    const outcome = await runSyn([command, ...argv], { ...others, env: { ...service.env, ...env } })
    return { ...outcome, asked: service.asked }
  }

  return {
    run,
    /** The body of the only request of a successful run. */
    async sentBy(argv: string[], options?: AskingOptions): Promise<Record<string, unknown>> {
      const { code, err, asked } = await run(argv, options)
      // The model list is free.
      const [first, ...others] = asked.filter(({ method }) => method === 'POST')
      expect({ code, err, others }).toEqual({ code: 0, err: '', others: [] })
      return first?.json as Record<string, unknown>
    },
    /** The error of a usage error and its hint. Checks that nothing was sent or printed, and that the exit status is 2. */
    async refusalOf(argv: string[], options?: AskingOptions): Promise<string> {
      const { code, out, err, asked } = await run(argv, options)
      const requests = asked.filter(({ method }) => method === 'POST').length
      expect({ code, out, requests, err }).toEqual({ code: 2, out: '', requests: 0, err })
      return messageIn(err)
    },
  }
}

/** @param err One error, and nothing else. @returns its message, and its hint in parentheses. */
export function messageIn(err: string): string {
  const [, message, hint] = /^syn: (.+)\n(?:hint: (.+)\n)?$/.exec(err) ?? []
  expect(message, err).toBeDefined()
  return hint === undefined ? `${message}` : `${message} (${hint})`
}
