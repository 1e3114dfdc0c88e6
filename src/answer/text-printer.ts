/** The answer as text, as it arrives. Reasoning goes to standard error. */

import { sanitizeName } from '../io/sanitize.ts'
import type { Sink } from '../io/io.ts'
import type { Delta, TokenProbability } from '../stream/delta.ts'
import type { Style } from '../terminal/style.ts'
import type { TextFilter } from '../terminal/text-filter.ts'
import { ChoiceQueue } from './choice-queue.ts'
import type { Printer } from './printer.ts'
import { probabilityLegend, withProbabilities } from './probabilities.ts'

export interface TextOptions {
  /** Whether several answers were asked for, so that each gets a heading. */
  readonly hasSeveral: boolean
  /** The heading of the answer of this number. */
  title(index: number): string
  readonly showsReasoning: boolean
  /** Whether tokens are coloured by their probability. */
  readonly showsProbabilities: boolean
  /** Whether it is told on standard error what these colours mean. */
  readonly showsLegend: boolean
  /** What becomes of an answer's text; each answer has its own. */
  newFilter(): TextFilter
  /** The same for its reasoning. */
  newReasoningFilter(): TextFilter
  readonly outStyle: Style
  readonly errStyle: Style
  /** Takes the key out of a text. */
  mask(text: string): string
}

export class TextPrinter implements Printer {
  readonly #out: Sink
  readonly #err: Sink
  readonly #options: TextOptions
  readonly #queue = new ChoiceQueue()
  /** What is to be written next, and where: one network read is one write, and nothing waits for each delta. */
  #pending: { sink: Sink; text: string }[] = []
  #choice: number | undefined
  #calls = new ToolCalls()
  /** How the answer's last line stands. */
  #outLine: 'none' | 'open' | 'ended' = 'none'
  /** The reasoning's last text, while it goes on. */
  #reasoning = ''
  #hasColored = false
  #filter: TextFilter
  #reasoningFilter: TextFilter
  /** Whether the filter may hold some of the text. */
  #isTextOpen = false
  /** Whether what was shown last is text. */
  #isBelowText = false

  constructor(out: Sink, err: Sink, options: TextOptions) {
    this.#out = out
    this.#err = err
    this.#options = options
    this.#filter = options.newFilter()
    this.#reasoningFilter = options.newReasoningFilter()
  }

  get awaited(): string | undefined {
    return this.#filter.awaited
  }

  async take(deltas: readonly Delta[]): Promise<void> {
    const probable = this.#options.showsProbabilities ? withProbabilities(deltas) : deltas
    await this.#showAll(this.#queue.take(probable))
    await this.#flush()
  }

  async finish(): Promise<void> {
    await this.#showAll(this.#queue.rest())
    this.#endChoice()
    this.#endLine()
    this.#explainColors()
    await this.#flush()
  }

  async breakOff(): Promise<void> {
    await this.#showAll(this.#queue.rest())
    this.#endChoice()
    if (this.#out.isTerminal) this.#endLine()
    this.#explainColors()
    await this.#flush()
  }

  async #showAll(deltas: readonly Delta[]): Promise<void> {
    for (const delta of deltas) {
      if ('index' in delta && delta.index !== this.#choice) this.#beginChoice(delta.index)
      this.#show(delta)
      // Hardly ever: nothing else waits for each delta.
      while (this.#filter.loading) {
        await this.#filter.loading
        this.#writeText(this.#filter.push(''))
      }
      while (this.#reasoningFilter.loading) {
        await this.#reasoningFilter.loading
        this.#dim(this.#reasoningFilter.push(''))
      }
    }
  }

  #show(delta: Delta): void {
    switch (delta.type) {
      case 'text':
        return this.#takeText(delta.text)
      case 'logprobs':
        return this.#options.showsProbabilities ? this.#writeText(this.#colored(delta.tokens)) : undefined
      case 'reasoning':
        return this.#writeReasoning(delta.text)
      case 'tool':
        return this.#calls.add(delta)
      case 'end':
        return this.#endChoice()
      case 'start':
      case 'thinking':
      case 'refusal':
      case 'usage':
      case 'quota':
      case 'chunk':
        return undefined
    }
  }

  #beginChoice(index: number): void {
    const isFirst = this.#choice === undefined
    this.#endChoice()
    this.#choice = index
    if (isFirst && !this.#options.hasSeveral) return
    if (!isFirst) {
      this.#endLine()
      this.#write(this.#out, '\n')
    }
    this.#write(this.#out, `${this.#options.outStyle.bold(this.#options.title(index))}\n`)
    this.#outLine = 'ended'
    this.#isBelowText = false
  }

  #endChoice(): void {
    this.#endText()
    this.#endReasoning()
    const lines = this.#calls.lines()
    this.#calls = new ToolCalls()
    if (lines.length === 0) return
    this.#endLine()
    const shown = lines.map((line) => this.#options.mask(this.#out.isTerminal ? sanitizeName(line) : line))
    this.#writeText(`${shown.join('\n')}\n`)
  }

  #takeText(text: string): void {
    this.#isTextOpen ||= text !== ''
    this.#writeText(this.#filter.push(text))
  }

  /** Shows what is held of the text. */
  #endText(): void {
    if (!this.#isTextOpen) return
    this.#writeText(this.#filter.end())
    this.#filter = this.#options.newFilter()
    this.#isTextOpen = false
  }

  #writeText(text: string): void {
    if (text === '') return
    this.#endReasoning(text)
    this.#write(this.#out, text)
    this.#outLine = text.endsWith('\n') ? 'ended' : 'open'
    this.#isBelowText = true
  }

  #writeReasoning(text: string): void {
    if (!this.#options.showsReasoning || text === '') return
    if (this.#isOneScreen) this.#leaveText()
    this.#reasoning = text
    this.#dim(this.#reasoningFilter.push(text))
  }

  #dim(text: string): void {
    if (text !== '') this.#write(this.#err, this.#options.errStyle.dim(text))
  }

  /** A blank line stands between the text and the reasoning that follows it. */
  #leaveText(): void {
    this.#endText()
    if (this.#isBelowText) this.#write(this.#err, this.#outLine === 'open' ? '\n\n' : '\n')
    this.#isBelowText = false
  }

  /** A blank line stands between the reasoning and what follows, unless that begins with one. */
  #endReasoning(next = ''): void {
    if (this.#reasoning === '') return
    this.#dim(this.#reasoningFilter.end())
    this.#reasoningFilter = this.#options.newReasoningFilter()
    const hasOwn = this.#isOneScreen && next.startsWith('\n\n')
    if (!hasOwn) this.#write(this.#err, this.#reasoning.endsWith('\n') ? '\n' : '\n\n')
    this.#reasoning = ''
  }

  /** Whether a person sees reasoning and answer among each other. */
  get #isOneScreen(): boolean {
    return this.#out.isTerminal && this.#err.isTerminal
  }

  /** Ends the answer's last line, where the answer itself did not. */
  #endLine(): void {
    if (this.#outLine !== 'open') return
    this.#write(this.#out, '\n')
    this.#outLine = 'ended'
  }

  #colored(tokens: readonly TokenProbability[]): string {
    const { probability } = this.#options.outStyle
    const shown = tokens.map(({ token, logprob }) => {
      const shown = this.#filter.push(token)
      if (logprob === undefined) return shown
      this.#hasColored = true
      return probability(shown, Math.exp(logprob))
    })
    return shown.join('')
  }

  #explainColors(): void {
    const { showsLegend, errStyle } = this.#options
    if (showsLegend && this.#hasColored) this.#write(this.#err, probabilityLegend(errStyle))
  }

  #write(sink: Sink, text: string): void {
    const last = this.#pending.at(-1)
    if (last?.sink === sink) last.text += text
    else this.#pending.push({ sink, text })
  }

  async #flush(): Promise<void> {
    const pending = this.#pending
    this.#pending = []
    for (const { sink, text } of pending) await sink.write(text)
  }
}

/** The tool calls of one choice, put together from their pieces and shown as `name(arguments)`. */
class ToolCalls {
  readonly #calls: { name: string; arguments: string }[] = []

  add(piece: Extract<Delta, { type: 'tool' }>): void {
    const call = (this.#calls[piece.call] ??= { name: '', arguments: '' })
    // Some services repeat the name with every piece.
    call.name ||= piece.name ?? ''
    call.arguments += piece.arguments ?? ''
  }

  /** A line for each call; arguments that are not whole stay as they came. */
  lines(): string[] {
    return this.#calls.filter(Boolean).map(({ name, arguments: given }) => `${name}(${given.trim()})`)
  }
}
