/** Runs programs in a shell with job control, and checks that they restore the terminal's settings. */

import { expect } from 'vitest'
import { onTerminal, type Screen, type ScreenOptions } from './terminal.ts'

// Identifies the terminal as xterm.js, which reflows lines when its width changes.
export const terminalEnvironment = { TERM_PROGRAM: 'vscode' }

export interface Guest extends ScreenOptions {
  /** How the shell starts the program. */
  readonly command: string
  readonly env: Record<string, string>
  /** The last line on the screen when the program is ready for input. */
  readonly prompt: string
}

/**
 * Starts a program in a shell, and checks that the terminal has its former settings when the program has ended.
 * @param interact Uses the program, from its prompt to its end.
 */
export async function unchanged(guest: Guest, interact: (screen: Screen) => Promise<void>): Promise<Screen> {
  const screen = await startShell(guest)
  const before = await settings(screen, 'before')
  screen.type('clear\r')
  await screen.until((lines) => lines.at(-1) === '$')
  screen.type('eval "$GUEST"; echo status $?\r')
  await screen.until((lines) => lines.at(-1) === guest.prompt)
  await interact(screen)
  expect(await settings(screen, 'after')).toBe(before)
  screen.type('exit\r')
  await screen.ended
  return screen
}

/** Waits until the program has ended with this exit status. */
export async function status(screen: Screen, code: number): Promise<void> {
  await screen.until((lines) => lines.some((line) => line.endsWith(`status ${code}`)))
}

async function startShell({ command, env, ...options }: Guest): Promise<Screen> {
  const all = { ...terminalEnvironment, PS1: '$ ', GUEST: command, ...env }
  const screen = onTerminal('bash', ['--norc', '--noprofile', '-i'], all, options)
  await screen.until((lines) => lines.at(-1) === '$')
  return screen
}

/** Read by a command: while bash edits a line, the terminal has the settings of its line editor. */
async function settings(screen: Screen, name: string): Promise<string> {
  screen.type(`echo "${name} $(stty -a | tr '\\n' ' ')" ${name}-end\r`)
  const found = (lines: string[]): string | undefined =>
    new RegExp(`${name} (speed.*)${name}-end`).exec(lines.join(''))?.[1]
  await screen.until((lines) => found(lines) !== undefined)
  return (found(screen.lines()) ?? '').replaceAll(/\s/g, '')
}
