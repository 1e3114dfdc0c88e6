/** The terminals and sizes at which tests look at the chat as a person does. */

import { describe } from 'vitest'
import { chat, type Piece } from './families.ts'
import { describeWith } from './installed.ts'
import { openChat, type ChatOptions, type InteractiveChat } from './interactive-chat.ts'
import { node, program } from './program.ts'
import { pairs } from './samples.ts'
import type { PacedStream } from './paced.ts'
import type { Answer } from './service.ts'
import { terminalEnvironment } from './shell.ts'
import { onTerminal, synOnTerminal } from './terminal.ts'
import { inTmux } from './tmux.ts'

export interface Place {
  readonly columns: number
  readonly rows: number
  readonly start: typeof onTerminal
  /** Opens the chat there. */
  open(answers: Answer[], options?: ChatOptions): Promise<InteractiveChat>
}

const sizes = [
  { columns: 80, rows: 24 },
  { columns: 40, rows: 12 },
]

const synInTmux: typeof synOnTerminal = (argv, env, options) => inTmux(node, [program, ...argv], env, options)

const terminals = [
  { name: 'xterm.js', start: onTerminal, startSyn: synOnTerminal, env: terminalEnvironment },
  { name: 'tmux', start: inTmux, startSyn: synInTmux, env: {} },
]

/** Each terminal at each size; in `npm test`, each of either once. */
export function describeTerminals(tests: (place: Place) => void): void {
  for (const [{ name, start, startSyn, env }, { columns, rows }] of pairs(terminals, sizes)) {
    const open: Place['open'] = (answers, options) =>
      openChat(answers, { columns, rows, ...options, start: startSyn, env: { ...env, ...options?.env } })
    const describeOne = name === 'tmux' ? describeWith : describe
    describeOne(name, () => {
      // They wait more than they work.
      describe.concurrent(`at ${columns}×${rows}`, () => {
        tests({ columns, rows, start, open })
      })
    })
  }
}

export interface Answering extends AsyncDisposable {
  readonly opened: InteractiveChat
  readonly paced: PacedStream<Piece>
  /** Types, and waits for the rows at the end of the screen: those of the queue and the line. */
  type(keys: string, ...rows: string[]): Promise<void>
}

/** Asks `one`, to which `First ` is answered. */
export async function answering(
  { open }: Place,
  others: Answer[] = [],
  env: Record<string, string> = {},
): Promise<Answering> {
  const paced = chat.paced()
  const opened = await open([paced.answer, ...others], { env })
  const { screen } = opened
  screen.type('one\r')
  await paced.send('First ')
  await screen.until((lines) => lines.includes('First') && lines.at(-1) === '»')
  return {
    opened,
    paced,
    type: (keys, ...rows) => {
      screen.type(keys)
      return screen.until((lines) => lines.slice(-rows.length).join('\n') === rows.join('\n'))
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}
