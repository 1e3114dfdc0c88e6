/** The last place where API keys are masked in text for a terminal. */

import { terminalSink, type Sink } from '../io.ts'
import { asSafeAs, type SafeText } from '../text/safe-text.ts'
import { maskedKey, maskSpans, minMaskedStart, type Secrets } from './secrets.ts'

/** What styles and links a text. The terminal shows the characters before and after it side by side. */
const sequences = /(\u001b\[[\d;:]*m|\u001b\]8;[^\u001b]*\u001b\\)/

/** The sink; if it is a terminal, API keys are masked in all that is written to it. */
export function maskingTerminal(sink: Sink, secrets: Secrets): Sink {
  if (!sink.isTerminal) return sink
  return terminalSink(sink.writeDirectly, sink, terminalMask(secrets))
}

/**
 * Masks the API keys in what a terminal shows, whatever made them readable there: Markdown may decode `&#115;k-…`, or leave
 * out the stars of `sk-**live**-…`. Nothing is held back. If a key is split over writes, what was shown of it before is at
 * most a start that is too short to be masked.
 */
export function terminalMask(secrets: Secrets): (text: SafeText) => SafeText {
  // The end of what was shown, if that may be the start of a key, and whether it was shown as a mask.
  let tail = ''
  let isTailMasked = false
  return (text) => {
    if (secrets.isEmpty) return text
    const parts = text.split(sequences)
    const pieces = [tail, ...parts.filter((_, at) => at % 2 === 0)]
    const whole = pieces.join('')
    const found = secrets.find(whole)
    const start = found?.tail ?? whole.length
    const isCut = (found?.tailLength ?? 0) >= minMaskedStart
    const cut = isCut ? [{ start, end: whole.length }] : []
    const [before, ...shown] = maskSpans(pieces, [...(found?.keys ?? []), ...cut])
    const continued = before === tail || isTailMasked ? '' : maskedKey
    tail = whole.slice(start)
    isTailMasked = isCut
    const masked = parts.map((part, at) => (at % 2 === 0 ? shown[at / 2] : secrets.mask(part)))
    return asSafeAs(text, continued + masked.join(''))
  }
}
