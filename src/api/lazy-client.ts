/** The client of a run. Its code, the base URL and the key are loaded at the first request, or while the input is read. */

import type { JsonObject } from '../io/json/json.ts'
import type { Client, RequestLimits, ServiceAccount } from './client.ts'
import type { JsonReply, Operation, Sender, SendOptions } from './operations.ts'

type RunContext = ConstructorParameters<typeof Client>[2] & {
  readonly settings: {
    /** @throws UsageError, MissingKeyError when there is no base URL or key. */
    account(): Promise<ServiceAccount>
    /** The account, if it is known without running a command. Prints nothing. */
    knownAccount(): ServiceAccount | undefined
    requestLimits(): RequestLimits
  }
}

/** A service that is started at the first request. */
type StartService = () => Promise<ServiceAccount & { close(): Promise<void> }>

export class LazyClient implements Sender {
  readonly #run: RunContext
  readonly #startService: StartService | undefined
  readonly #clients: Client[] = []
  #service: Awaited<ReturnType<StartService>> | undefined
  #connected: Promise<Client> | undefined
  /** The client for the account, which may be known before a request asks for it. */
  #client: Promise<Client> | undefined
  #isClosed = false

  /** @param startService What requests go to, in place of the service of the account. */
  constructor(run: RunContext, startService?: StartService) {
    this.#run = run
    this.#startService = startService
  }

  /** @throws UsageError, MissingKeyError when there is no base URL or key; nothing has been sent then. */
  connected(): Promise<Client> {
    return (this.#connected ??= this.#connectAccount())
  }

  /**
   * Opens the connection before there is a request, if address and key are known. Nothing is printed or thrown: whatever
   * is wrong, the request fails with it.
   */
  preconnect(): void {
    if (!this.#startService && !this.#isClosed) void this.#preconnect().catch(() => undefined)
  }

  /** Whether a request of this run succeeded. */
  get hasAnswered(): boolean {
    return this.#clients.some((client) => client.hasAnswered)
  }

  async send(operation: Operation, body?: JsonObject, options?: SendOptions): Promise<JsonReply> {
    return (await this.connected()).send(operation, body, options)
  }

  /** A client for a base URL and key that need not be those of the account. */
  async connect(account: ServiceAccount): Promise<Client> {
    const { Client: Connected } = await import('./client.ts')
    const client = new Connected(account, this.#run.settings.requestLimits(), this.#run)
    this.#clients.push(client)
    return client
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#client?.catch(() => undefined)
    for (const client of this.#clients.toReversed()) await client.close()
    await this.#service?.close()
  }

  async #connectAccount(): Promise<Client> {
    this.#service = await this.#startService?.()
    return this.#clientFor(this.#service ?? (await this.#run.settings.account()))
  }

  async #preconnect(): Promise<void> {
    const account = this.#connected ? undefined : this.#run.settings.knownAccount()
    const client = await (account ? this.#clientFor(account) : this.#connected)
    await client?.preconnect()
  }

  #clientFor(account: ServiceAccount): Promise<Client> {
    return (this.#client ??= this.connect(account))
  }
}
