/** Runs helpers/line-chat.ts on a pseudo-terminal. */

import { fileURLToPath } from 'node:url'
import { bundled } from '../../helpers/bundled.ts'
import { lineChat } from '../../helpers/line-chat.ts'
import { environment, node, quoted } from '../../helpers/program.ts'
import { terminalEnvironment } from '../../helpers/shell.ts'
import { inThisProcess, needsProcess, onTerminal, type Screen, type SynOptions } from '../../helpers/terminal.ts'

let program: Promise<string> | undefined

/** @returns the shell command that starts it as a process. */
export async function command(): Promise<string> {
  program ??= bundled(fileURLToPath(new URL('../../helpers/line-program.ts', import.meta.url)))
  return `${quoted(node)} ${quoted(await program)}`
}

/** @returns a terminal that shows the prompt. */
export async function startChat(others: Record<string, string> = {}, options: SynOptions = {}): Promise<Screen> {
  const env = { ...environment(), ...terminalEnvironment, ...others }
  return prompted(
    needsProcess(env, options)
      ? onTerminal('bash', ['-c', `exec ${await command()}`], env, options)
      : inThisProcess(lineChat, [], env, options),
  )
}

export async function prompted(screen: Screen): Promise<Screen> {
  await screen.until((lines) => lines.at(-1) === '>')
  return screen
}

/** Types, and waits for the last line on the screen. */
export async function type(screen: Screen, keys: string, last: string): Promise<void> {
  screen.type(keys)
  await screen.until((lines) => lines.at(-1) === last)
}

/** Types, presses Enter, and waits for the answer and the next prompt. */
export async function send(screen: Screen, keys: string): Promise<void> {
  const answers = (): number => screen.written().split('"\r\n').length
  const before = answers()
  screen.type(`${keys}\r`)
  await screen.until((lines) => answers() > before && lines.at(-1) === '>')
}

/** Exits and waits for the end. */
export async function leave(screen: Screen): Promise<number> {
  screen.type('\u0015\u0004')
  return screen.ended
}
