/** The status row of the chat: what it says, and when it changes. */

import { toChatMessage } from '../api/chat/messages.ts'
import { contextLengthOf, type Model } from '../api/models.ts'
import { isTransient } from '../api/retry-policy.ts'
import { costText } from '../answer/usage-text.ts'
import type { Meter } from '../answer/meter.ts'
import { UsageTotals } from '../answer/usage-totals.ts'
import { answersIn, branchMessages } from '../conversation/conversation.ts'
import type { JsonObject } from '../io/json/json.ts'
import { type SafeText, sanitizeName } from '../io/text/safe-text.ts'
import { countText } from '../io/text/plural.ts'
import { startTimer } from '../io/time/time.ts'
import { modelName } from '../models/rotation.ts'
import { lengthText } from '../models/view.ts'
import { quotaLeftText, quotaTakenText, readQuota } from '../quota/record.ts'
import { attachedParts } from './attachments.ts'
import { currentModel } from './answer.ts'
import { contextSize } from './context-size.ts'
import type { ChatState } from './state.ts'

const second = 1000

/** In milliseconds, between requests for the row alone. */
const requestInterval = 60 * second

export class Status {
  readonly #chat: ChatState
  /** `undefined` if the row is off: then it sends no requests either. */
  readonly #show: ((parts: readonly SafeText[]) => void) | undefined
  readonly #closing = new AbortController()
  #isIdle = false
  /** Measures the answer since the last prompt, if there is one. */
  #meter: Meter | undefined
  #timer: NodeJS.Timeout | undefined
  #models: readonly Model[] | undefined
  #quota: JsonObject | undefined
  /** The quota that one answer took, if alone between two records, and the answers since the last record. */
  #taken: string | undefined
  #answers = 0
  #requested = -Infinity
  #hasQuota = true

  /** @param show Shows the parts of the row, the most important first; none hide it. */
  constructor(chat: ChatState, show: (parts: readonly SafeText[]) => void) {
    const { settings, notices, io } = chat.context
    const isOn = settings.get('status')?.value ?? true
    this.#chat = chat
    this.#show = isOn && !notices.isQuiet && !io.isPlain?.() ? show : undefined
  }

  /** A request was sent. */
  answering(meter: Meter): void {
    this.#enter('busy')
    this.#meter = meter
    this.#showProgress(meter)
  }

  /** The chat waits for input. */
  idle(): void {
    this.#enter('idle')
    const meter = this.#meter
    this.#meter = undefined
    // Whatever is wrong, the next request fails with it.
    void this.#update(meter).catch(() => undefined)
  }

  /** A command runs, or an answer is prepared. */
  hide(): void {
    this.#enter('busy')
    this.#show?.([])
  }

  /** Cancels the row's requests. */
  close(): void {
    this.hide()
    this.#closing.abort()
  }

  #enter(state: 'idle' | 'busy'): void {
    clearTimeout(this.#timer)
    this.#isIdle = state === 'idle'
  }

  #showProgress(meter: Meter): void {
    if (!this.#show) return
    const { elapsed, estimatedTokens: tokens } = meter
    const count = `≈${roundedCount(tokens)} ${tokens === 1 ? 'token' : 'tokens'}`
    this.#show(['esc stops', elapsedText(elapsed), ...(tokens > 0 ? [count] : [])].map(sanitizeName))
    // At whole seconds, so that none is left out.
    this.#timer = startTimer(second - (elapsed % second), () => this.#showProgress(meter)).unref()
  }

  async #showConversation(): Promise<void> {
    const { session, context } = this.#chat
    const model = await this.#nextModel()
    if (session.conversation.answeredPath().length > 0) this.#models ??= context.catalog.cachedModels()
    const totals = UsageTotals.of(answersIn(session.conversation.nodes))
    const cost = totals.cost(this.#models ?? [])
    const { promptTokens = 0, completionTokens = 0 } = totals.usage ?? {}
    const always = this.#chat.tools.offered?.tools.filter(({ approvedBy }) => approvedBy === 'user') ?? []
    const texts = [
      model,
      always.length > 0 ? `always allowed: ${always.map(({ label }) => label).join(', ')}` : undefined,
      this.#contextText(model),
      totals.usage && countText(promptTokens + completionTokens, 'token'),
      // Nothing before the first answer, and for models that cost nothing.
      cost ? `${costText(cost)} in this conversation` : undefined,
      this.#quota && quotaLeftText(this.#quota),
      this.#taken,
    ]
    const known = texts.filter((text) => text !== undefined)
    if (this.#isIdle) this.#show?.(known.map(sanitizeName))
  }

  /** The model of the next message with what is attached to it. */
  async #nextModel(): Promise<string> {
    const { session, attachments } = this.#chat
    const attached = toChatMessage({ role: 'user', text: '', images: attachedParts(attachments).images })
    // The request prints the notice for an unknown alias.
    const notices = { info: () => Promise.resolve() }
    const messages = branchMessages(session.conversation.answeredPath(), { messages: [attached] })
    return modelName(await currentModel(this.#chat, messages, notices))
  }

  /** `12% of 128k context`; `undefined` before the first message, and if the length is unknown. */
  #contextText(model: string): string | undefined {
    const { session } = this.#chat
    const { tokens, isEstimate } = contextSize(session.conversation)
    // The list may lack an alias, and have the model that answered for it.
    const served = answersIn(session.conversation.nodes).findLast((answer) => answer.model === model)?.servedModel
    const lengthOf = (name = ''): number | undefined => contextLengthOf(this.#models ?? [], name)
    const length = lengthOf(model) ?? lengthOf(served)
    if (tokens === 0 || length === undefined) return undefined
    const percent = Math.floor((100 * tokens) / length)
    return `${percent === 0 ? '<' : isEstimate ? '≈' : ''}${Math.max(1, percent)}% of ${lengthText(length)} context`
  }

  /** @param meter That of the last answer, if there is a new one. */
  async #update(meter: Meter | undefined): Promise<void> {
    const { client, io, options } = this.#chat.context
    if (!this.#show) return
    const fromHeader = meter && (meter.answer.quota ?? (await client.connected()).recentQuota)
    if (meter) this.#answers += 1
    this.#taken = undefined
    if (fromHeader) this.#setQuota(fromHeader)
    await this.#showConversation()
    // A request that failed changed nothing, and the log of --debug would be written into the input line.
    if (!meter || meter.estimatedTokens === 0 || options.debug) return
    if (io.elapsed() - this.#requested < requestInterval) return
    this.#requested = io.elapsed()
    await Promise.all([this.#readModels(), fromHeader || !this.#hasQuota ? undefined : this.#readQuota()])
  }

  async #readModels(): Promise<void> {
    const models = await this.#chat.context.catalog.modelsIfAvailable()
    if (models.length > 0) this.#models = models
    await this.#showConversation()
  }

  #setQuota(quota: JsonObject): void {
    if (this.#quota && this.#answers === 1) this.#taken = quotaTakenText(this.#quota, quota)
    this.#quota = quota
    this.#answers = 0
  }

  async #readQuota(): Promise<void> {
    const { signal } = this.#closing
    try {
      this.#setQuota(await readQuota(this.#chat.context.client, undefined, { oneAttempt: true, signal }))
    } catch (error) {
      // A service without quotas sends a 404.
      this.#hasQuota = isTransient(error)
    }
    await this.#showConversation()
  }
}

/** `12 s`, `2 min 5 s` */
function elapsedText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / second))
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** `340`, `1.2k`: an estimate, whose last digits would only flicker. */
function roundedCount(tokens: number): string {
  if (tokens < 1000) return String(tokens < 10 ? tokens : Math.floor(tokens / 10) * 10)
  return `${(Math.floor(tokens / 100) / 10).toFixed(1)}k`
}
