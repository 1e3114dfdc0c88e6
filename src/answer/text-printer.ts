/** Prints the answer as text, as it arrives. Reasoning goes to standard error. */

import { joinSafe, linesOf, noText, safe, type SafeText, sanitizeName, textFor } from '../io/text/safe-text.ts'
import type { Sink } from '../io/io.ts'
import type { Answer } from '../stream/answer.ts'
import type { Delta } from '../stream/delta.ts'
import { startTimer } from '../io/time/time.ts'
import type { Style } from '../terminal/style.ts'
import type { TextFilter } from '../terminal/text-filter.ts'
import { ChoiceQueue } from './choice-queue.ts'
import type { Printer } from './printer.ts'

/** In milliseconds without output, after which text is shown that waits for the end of a mark. */
const longestHold = 500

interface TextPrinterOptions {
  /** The number of answers requested: on a terminal, each of several has a heading. */
  readonly choiceCount: number
  /** The heading of the answer with this index. */
  title(index: number): string
  readonly showsReasoning: boolean
  /** Whether calls that will be run are left out: who runs them says so. */
  readonly runsTools: boolean
  /** Whether a paragraph waits for its end: a screen reader reads what a write adds (default: no). */
  readonly isSpoken?: boolean
  /** Makes the filter for an answer's text; each answer has its own. */
  newFilter(): TextFilter
  /** Makes the filter for its reasoning. */
  newReasoningFilter(): TextFilter
  readonly outStyle: Style
  readonly errStyle: Style
  /** Stops a long text. */
  readonly signal: AbortSignal
}

export class TextPrinter implements Printer {
  readonly #out: Sink
  readonly #err: Sink
  readonly #options: TextPrinterOptions
  readonly #queue: ChoiceQueue
  readonly #answer: Answer
  /** Text to write next, and where: one network read is one write, and nothing waits for each delta. */
  readonly #pending: { sink: Sink; texts: SafeText[] }[] = []
  #choice: number | undefined
  /** How many calls of tools were shown, by choice. */
  readonly #shownCalls = new Map<number, number>()
  /** Whether the answer's last line has text and is not ended. */
  #isLineOpen = false
  /** The last text of the reasoning, until the reasoning ends. */
  #reasoning = ''
  #filter: TextFilter
  #reasoningFilter: TextFilter
  /** Whether the filter may hold back some of the text. */
  #isTextOpen = false
  /** Whether text was shown last. */
  #isBelowText = false
  /** When text was written last. */
  #lastText = 0
  #timer: NodeJS.Timeout | undefined

  /** @param answer Accumulates the deltas before they are printed. */
  constructor(out: Sink, err: Sink, answer: Answer, options: TextPrinterOptions) {
    this.#out = out
    this.#err = err
    this.#answer = answer
    this.#options = options
    this.#queue = new ChoiceQueue(options.choiceCount)
    this.#filter = options.newFilter()
    this.#reasoningFilter = options.newReasoningFilter()
  }

  get awaited(): SafeText | undefined {
    return this.#filter.awaited
  }

  async print(deltas: readonly Delta[]): Promise<void> {
    clearTimeout(this.#timer)
    await this.#showAll(this.#queue.push(deltas))
    await this.#flush()
    if (!this.#out.isTerminal || this.#options.isSpoken) return
    if (performance.now() - this.#lastText >= longestHold) await this.#showHeld(false)
    // The next write fails, too.
    this.#timer = startTimer(longestHold, () => void this.#showHeld(true).catch(() => undefined)).unref()
  }

  #showHeld(isStalled: boolean): Promise<void> {
    this.#writeText(this.#filter.showHeld?.(isStalled) ?? noText)
    return this.#flush()
  }

  async finish(): Promise<void> {
    await this.#showAll(this.#queue.rest())
    await this.#end(true)
  }

  async interrupt(): Promise<void> {
    // A long text that was stopped is left out.
    await this.#showAll(this.#queue.rest()).catch(() => undefined)
    await this.#end(this.#out.isTerminal)
  }

  async #end(endsLine: boolean): Promise<void> {
    clearTimeout(this.#timer)
    this.#endChoice()
    if (endsLine) this.#endLine()
    await this.#flush(true)
  }

  async #showAll(deltas: readonly Delta[]): Promise<void> {
    for (const delta of deltas) {
      if ('index' in delta && delta.index !== this.#choice) this.#beginChoice(delta.index)
      this.#show(delta)
      // Rare: otherwise nothing waits for each delta.
      while (this.#filter.loading ?? this.#reasoningFilter.loading) {
        await this.#flush()
        // While one is awaited, the other may be loaded, too.
        await Promise.all([this.#filter.loading, this.#reasoningFilter.loading])
        this.#writeText(this.#filter.push(''))
        this.#dim(this.#reasoningFilter.push(''))
        this.#options.signal.throwIfAborted()
      }
    }
  }

  #show(delta: Delta): void {
    if (delta.type === 'text') this.#addText(delta.text)
    else if (delta.type === 'reasoning' && this.#options.showsReasoning) this.#writeReasoning(delta.text)
    else if (delta.type === 'end') this.#endChoice()
    else if (delta.type === 'restart') this.#endReasoning()
  }

  #beginChoice(index: number): void {
    const isFirst = this.#choice === undefined
    this.#endChoice()
    this.#choice = index
    if (!isFirst) {
      this.#endLine()
      this.#write(this.#out, safe`\n`)
      this.#isBelowText = false
    }
    if (!this.#out.isTerminal || (isFirst && this.#options.choiceCount <= 1)) return
    const title = textFor(this.#out, this.#options.title(index))
    this.#write(this.#out, safe`${this.#options.outStyle.bold(title)}\n`)
  }

  #endChoice(): void {
    this.#endText()
    this.#endReasoning()
    const lines = this.#callLines()
    if (lines.length === 0) return
    this.#endLine()
    this.#writeText(linesOf(lines.map((line) => textFor(this.#out, line, sanitizeName))))
  }

  /** One line for each call that was not shown yet, with the arguments unchanged, complete or not. */
  #callLines(): string[] {
    const index = this.#choice
    if (index === undefined || (this.#options.runsTools && (index === 0 || this.#answer.callsTools))) return []
    const calls = [...(this.#answer.choice(index)?.calls ?? [])].sort(([a], [b]) => a - b)
    const shown = this.#shownCalls.get(index) ?? 0
    if (calls.length > 0) this.#shownCalls.set(index, calls.length)
    return calls.slice(shown).map(([, { name, arguments: given }]) => `${name}(${given.trim()})`)
  }

  #addText(text: string): void {
    this.#isTextOpen ||= text !== ''
    this.#writeText(this.#filter.push(text))
  }

  /** Writes the text that the filter holds back. */
  #endText(): void {
    if (!this.#isTextOpen) return
    this.#writeText(this.#filter.end())
    this.#filter = this.#options.newFilter()
    this.#isTextOpen = false
  }

  #writeText(text: SafeText): void {
    if (text === '') return
    this.#endReasoning(text)
    this.#write(this.#out, text)
    this.#isLineOpen = !text.endsWith('\n')
    this.#isBelowText = true
  }

  #writeReasoning(text: string): void {
    if (text === '') return
    if (this.#isOneScreen) this.#separateText()
    this.#reasoning = text
    this.#dim(this.#reasoningFilter.push(text))
  }

  #dim(text: SafeText): void {
    if (text !== '') this.#write(this.#err, this.#options.errStyle.dim(text))
  }

  /** Writes a blank line between the text and the reasoning that follows it. */
  #separateText(): void {
    this.#endText()
    if (this.#isBelowText) this.#write(this.#err, this.#isLineOpen ? safe`\n\n` : safe`\n`)
    this.#isBelowText = false
  }

  /** Writes a blank line between the reasoning and the next text, unless that starts with one. */
  #endReasoning(next = ''): void {
    if (this.#reasoning === '') return
    this.#dim(this.#reasoningFilter.end())
    this.#reasoningFilter = this.#options.newReasoningFilter()
    const startsBlank = this.#isOneScreen && next.startsWith('\n\n')
    if (!startsBlank) this.#write(this.#err, this.#reasoning.endsWith('\n') ? safe`\n` : safe`\n\n`)
    this.#reasoning = ''
  }

  /** Whether reasoning and answer appear on the same screen. */
  get #isOneScreen(): boolean {
    return this.#out.isTerminal && this.#err.isTerminal
  }

  /** Ends the answer's last line if the answer did not end it. */
  #endLine(): void {
    if (!this.#isLineOpen) return
    this.#write(this.#out, safe`\n`)
    this.#isLineOpen = false
  }

  #write(sink: Sink, text: SafeText): void {
    const last = this.#pending.at(-1)
    if (last?.sink === sink) last.texts.push(text)
    else this.#pending.push({ sink, texts: [text] })
  }

  #takePending(isEnd: boolean) {
    const last = this.#pending.at(-1)
    if (isEnd || !this.#options.isSpoken || !last?.sink.isTerminal) return this.#pending.splice(0)
    const lines = joinSafe(last.texts).split('\n')
    // A long paragraph, such as code, comes by the line.
    const rest = lines.splice(lines.length > 100 ? -1 : lines.lastIndexOf(noText, -2) + 1)
    last.texts = [linesOf(lines)]
    return this.#pending.splice(0, Infinity, { ...last, texts: [joinSafe(rest, safe`\n`)] })
  }

  async #flush(isEnd = false): Promise<void> {
    for (const { sink, texts } of this.#takePending(isEnd)) {
      await sink.write(joinSafe(texts))
      // The clock is read once a write: once a delta, it took 3 % of the time.
      if (sink === this.#out) this.#lastText = performance.now()
    }
  }
}
