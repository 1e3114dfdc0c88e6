/** The terminals at which tests look at the chat as a person does. */

import { describe } from 'vitest'
import { chat } from './dialects.ts'
import { describeWith } from './installed.ts'
import { openChat, type ChatOptions, type InteractiveChat } from './interactive-chat.ts'
import { node, program } from './program.ts'
import type { Answer } from './service.ts'
import { terminalEnvironment } from './shell.ts'
import { synOnTerminal } from './terminal.ts'
import { inTmux } from './tmux.ts'

export interface Place {
  readonly columns: number
  readonly rows: number
  /** Opens the chat there. */
  open(answers: Answer[], options?: ChatOptions): Promise<InteractiveChat>
}

function placeOf(columns: number, rows: number, start: typeof synOnTerminal, env: Record<string, string>): Place {
  const open: Place['open'] = (answers, options) =>
    openChat(answers, { columns, rows, ...options, start, env: { ...env, ...options?.env } })
  return { columns, rows, open }
}

/** A terminal that has little room. */
export const terminal = placeOf(40, 12, synOnTerminal, terminalEnvironment)

const tmux = placeOf(80, 24, (argv, env, options) => inTmux(node, [program, ...argv], env, options), {})

/** For what depends on how a terminal wraps its rows anew. */
export function describeTerminals(tests: (place: Place) => void): void {
  // The tests wait more than they work.
  describe.concurrent('in xterm.js', () => {
    tests(terminal)
  })
  describeWith('tmux', () => {
    describe.concurrent('at 80×24', () => {
      tests(tmux)
    })
  })
}

/** Asks `one`, to which `First ` is answered. */
export async function answering(others: Answer[] = [], env: Record<string, string> = {}) {
  const paced = chat.paced()
  const opened = await terminal.open([paced.answer, ...others], { env })
  const { screen } = opened
  screen.type('one\r')
  await paced.send('First ')
  await screen.until((lines) => lines.includes('First') && lines.at(-1) === '»')
  return {
    opened,
    paced,
    /** Types, and waits for the rows at the end of the screen: those of the queue and the line. */
    type: (keys: string, ...rows: string[]): Promise<void> => {
      screen.type(keys)
      return screen.until((lines) => lines.slice(-rows.length).join('\n') === rows.join('\n'))
    },
    [Symbol.asyncDispose]: (): PromiseLike<void> => opened[Symbol.asyncDispose](),
  }
}
