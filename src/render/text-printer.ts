/** The answer as text, as it arrives. Reasoning goes to standard error. */

import { harmless, harmlessName } from '../io/harmless.ts'
import type { Sink } from '../io/io.ts'
import type { Delta, TokenProbability } from '../stream/delta.ts'
import { ChoiceQueue } from './choice-queue.ts'
import type { Printer } from './printer.ts'
import type { Style } from './style.ts'
import { ToolCalls } from './tool-calls.ts'

export interface TextOptions {
  /** Whether several answers were asked for, so that each gets a heading. */
  readonly hasSeveral: boolean
  readonly showsReasoning: boolean
  /** Whether tokens are coloured by their probability. */
  readonly showsProbabilities: boolean
  readonly outStyle: Style
  readonly errStyle: Style
}

export class TextPrinter implements Printer {
  readonly #out: Sink
  readonly #err: Sink
  readonly #options: TextOptions
  readonly #queue = new ChoiceQueue()
  /** What is to be written next, and where. */
  #pending = ''
  #pendingSink: Sink
  #choice: number | undefined
  #calls = new ToolCalls()
  /** How the last line on each stream stands. */
  #outLine: 'none' | 'open' | 'ended' = 'none'
  #isReasoning = false
  #heldReturn = ''

  constructor(out: Sink, err: Sink, options: TextOptions) {
    this.#out = out
    this.#err = err
    this.#options = options
    this.#pendingSink = out
  }

  async take(deltas: readonly Delta[]): Promise<void> {
    const probable = this.#options.showsProbabilities ? withProbabilities(deltas) : deltas
    await this.#showAll(this.#queue.take(probable))
  }

  async finish(): Promise<void> {
    await this.breakOff()
    await this.#endLine()
    await this.#flush()
  }

  async breakOff(): Promise<void> {
    await this.#showAll(this.#queue.rest())
    await this.#endChoice()
    if (this.#out.isTerminal) await this.#endLine()
    await this.#flush()
  }

  async #showAll(deltas: readonly Delta[]): Promise<void> {
    for (const delta of deltas) {
      if ('index' in delta && delta.index !== this.#choice) await this.#beginChoice(delta.index)
      await this.#show(delta)
    }
    await this.#flush()
  }

  async #show(delta: Delta): Promise<void> {
    switch (delta.type) {
      case 'text':
        return this.#writeText(this.#shownText(delta.text))
      case 'logprobs':
        return this.#options.showsProbabilities ? this.#writeText(this.#colored(delta.tokens)) : undefined
      case 'reasoning':
        return this.#writeReasoning(delta.text)
      case 'tool':
        return this.#calls.add(delta)
      case 'end':
        return this.#endChoice()
      case 'start':
      case 'refusal':
      case 'usage':
      case 'quota':
      case 'chunk':
        return undefined
    }
  }

  async #beginChoice(index: number): Promise<void> {
    const isFirst = this.#choice === undefined
    await this.#endChoice()
    this.#choice = index
    if (isFirst && !this.#options.hasSeveral) return
    if (!isFirst) {
      await this.#endLine()
      await this.#write(this.#out, '\n')
    }
    await this.#write(this.#out, `${this.#options.outStyle.bold(`Answer ${index + 1}`)}\n`)
    this.#outLine = 'ended'
  }

  async #endChoice(): Promise<void> {
    await this.#endReasoning()
    const lines = this.#calls.lines()
    this.#calls = new ToolCalls()
    if (lines.length === 0) return
    await this.#endLine()
    await this.#writeText(`${lines.map((line) => (this.#out.isTerminal ? harmlessName(line) : line)).join('\n')}\n`)
  }

  async #writeText(text: string): Promise<void> {
    if (text === '') return
    await this.#endReasoning()
    await this.#write(this.#out, text)
    this.#outLine = text.endsWith('\n') ? 'ended' : 'open'
  }

  async #writeReasoning(text: string): Promise<void> {
    if (!this.#options.showsReasoning) return
    this.#isReasoning = true
    const { dim } = this.#options.errStyle
    await this.#write(this.#err, dim(this.#err.isTerminal ? harmless(text) : text))
  }

  async #endReasoning(): Promise<void> {
    if (!this.#isReasoning) return
    this.#isReasoning = false
    await this.#write(this.#err, '\n\n')
  }

  /** Ends the answer's last line, where the answer itself did not. */
  async #endLine(): Promise<void> {
    if (this.#outLine !== 'open') return
    await this.#write(this.#out, '\n')
    this.#outLine = 'ended'
  }

  /** On a terminal a carriage return is held back until it is known whether a line feed follows. */
  #shownText(text: string): string {
    if (!this.#out.isTerminal) return text
    const whole = this.#heldReturn + text
    this.#heldReturn = whole.endsWith('\r') ? '\r' : ''
    return harmless(this.#heldReturn ? whole.slice(0, -1) : whole)
  }

  #colored(tokens: readonly TokenProbability[]): string {
    const { probability } = this.#options.outStyle
    return tokens.map(({ token, logprob }) => probability(this.#shownText(token), Math.exp(logprob))).join('')
  }

  /** Gathers what goes to one stream, so that one network read is one write; order between the streams is kept. */
  async #write(sink: Sink, text: string): Promise<void> {
    if (sink !== this.#pendingSink) await this.#flush()
    this.#pendingSink = sink
    this.#pending += text
  }

  async #flush(): Promise<void> {
    if (this.#pending === '') return
    const text = this.#pending
    this.#pending = ''
    await this.#pendingSink.write(text)
  }
}

/** Where a choice's tokens say the same as its text they stand for it; otherwise the text does. */
function withProbabilities(deltas: readonly Delta[]): Delta[] {
  const texts = new Map<number, string>()
  const tokens = new Map<number, string>()
  for (const delta of deltas) {
    if (delta.type === 'text') texts.set(delta.index, (texts.get(delta.index) ?? '') + delta.text)
    if (delta.type !== 'logprobs') continue
    const text = delta.tokens.map(({ token }) => token).join('')
    tokens.set(delta.index, (tokens.get(delta.index) ?? '') + text)
  }
  return deltas.filter((delta) => {
    if (delta.type !== 'text' && delta.type !== 'logprobs') return true
    const areTokensShown = texts.get(delta.index) === tokens.get(delta.index)
    return delta.type === 'logprobs' ? areTokensShown : !areTokensShown
  })
}
