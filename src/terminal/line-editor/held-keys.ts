import { keymap } from './keymap.ts'
import type { KeyboardInput } from './keyboard.ts'

/** Holds an Enter that comes right after a Tab, and what follows it, until the completion is known. */
export class HeldKeys {
  /** While a completion is awaited. */
  #held: KeyboardInput[] | undefined

  /** @returns a function that ends the wait, and returns what was held. */
  begin(): () => readonly KeyboardInput[] {
    const held: KeyboardInput[] = []
    this.#held = held
    return () => {
      if (this.#held === held) this.#held = undefined
      return held.splice(0)
    }
  }

  /** Cancels the completion. @returns what was held, without Enter. */
  cancel(): readonly KeyboardInput[] {
    const held = this.#held ?? []
    this.#held = undefined
    return held.splice(0).filter((one) => commandOf(one) !== 'enter')
  }

  get isEmpty(): boolean {
    return !this.#held || this.#held.length === 0
  }

  /** Another key cancels the completion. @returns what is to be handled now. */
  pass(input: KeyboardInput): readonly KeyboardInput[] {
    const held = this.#held
    if (held === undefined) return [input]
    const command = commandOf(input)
    const isStop = command === 'interrupt' || command === 'escape'
    if (!isStop && (command === 'enter' || held.length > 0)) {
      held.push(input)
      return []
    }
    return [...this.cancel(), input]
  }
}

function commandOf(input: KeyboardInput): string | undefined {
  return input.kind === 'key' ? keymap[input.name] : undefined
}
