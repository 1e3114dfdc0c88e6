/** The texts above the input line that change by themselves: what is waited for, and the status. */

import type { Activity } from '../../io/io.ts'
import { startTimer } from '../../io/time/time.ts'
import type { SafeText } from '../../io/text/safe-text.ts'
import { activityDelay } from '../spinner.ts'
import type { FooterView } from './layout.ts'

/** In milliseconds, between two changes: four a second can be read, more would flicker. */
const changeTime = 250

export class FooterTexts {
  readonly #now: () => number
  readonly #onChange: () => void
  /** What is waited for, longer than the delay; the last one is visible. */
  readonly #activities = new Set<{ text: SafeText }>()
  #status: readonly SafeText[] = []
  /** What the footer shows; it changes later than the texts. */
  shown: Pick<FooterView, 'activity' | 'status'> = { activity: undefined, status: [] }
  #lastChange = -Infinity
  #timer: NodeJS.Timeout | undefined

  constructor(now: () => number, onChange: () => void) {
    this.#now = now
    this.#onChange = onChange
  }

  setStatus(parts: readonly SafeText[]): void {
    const isOther = parts[0] !== this.#status[0]
    this.#status = parts
    if (isOther) this.#show()
    else this.#change()
  }

  showActivity(text: SafeText): Activity {
    const activity = { text }
    let delay: NodeJS.Timeout | undefined
    const stop = (): void => {
      clearTimeout(delay)
      delay = undefined
      if (this.#activities.delete(activity)) this.#show()
    }
    const setText = (next: SafeText): void => {
      activity.text = next
      if (this.#activities.has(activity)) this.#change()
    }
    const resume = (next: SafeText): void => {
      setText(next)
      delay ??= startTimer(activityDelay, () => {
        this.#activities.add(activity)
        this.#change()
      })
    }
    resume(text)
    return { setText, stop, resume }
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #change(): void {
    if (this.#timer !== undefined) return
    const wait = this.#lastChange + changeTime - this.#now()
    if (wait <= 0) return this.#show()
    this.#timer = startTimer(Math.min(wait, changeTime), () => {
      this.#timer = undefined
      this.#show()
    })
  }

  #show(): void {
    this.#lastChange = this.#now()
    this.shown = { activity: [...this.#activities].at(-1)?.text, status: this.#status }
    this.#onChange()
  }
}
