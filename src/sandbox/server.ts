/** The embedded stand-in for the service: every endpoint of the specification, on loopback. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FailedError, isSystemError } from '../errors.ts'
import { Account } from './account.ts'
import { defaultRate } from './defaults.ts'
import { answerRequest, type Service } from './exchange.ts'

export interface Sandbox {
  readonly baseUrl: string
  readonly key: string
  /** Ends at once, whoever is still connected. */
  close(): Promise<void>
}

export interface SandboxOptions {
  /** 0 takes any free one. */
  readonly port: number
  /** Whether streamed answers come at a reading pace. */
  readonly isPaced: boolean
  /** Tokens a second of a paced answer; 0 for no delay. */
  readonly rate?: number | undefined
  /** Requests to text models until the quota is spent. */
  readonly limit?: number | undefined
}

/** Not a secret: it opens nothing but this sandbox. */
const sandboxKey = 'sandbox-key'

/** @throws FailedError when the port is taken. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const rate = options.rate ?? (options.isPaced ? defaultRate : 0)
  const service: Service = { key: sandboxKey, account: new Account(options.limit), rate }
  const server = createServer((request, response) => void answerRequest(request, response, service))
  try {
    server.listen(options.port, '127.0.0.1')
    await once(server, 'listening')
  } catch (error) {
    throw listenFailure(error, options.port)
  }
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    key: sandboxKey,
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function listenFailure(error: unknown, port: number): unknown {
  if (!isSystemError(error)) return error
  const reasons: Record<string, string> = { EADDRINUSE: 'it is in use', EACCES: 'no permission' }
  const reason = reasons[error.code ?? ''] ?? error.message
  return new FailedError(`the sandbox can't listen on port ${port}: ${reason}`, {
    hint: 'choose another with --port, or leave it out to get a free one',
    cause: error,
  })
}
