/** A shell with job control on a terminal, and the terminal settings (stty) in it. */

import { expect } from 'vitest'
import { onTerminal, type Screen, type ScreenOptions } from './terminal.ts'

/** Identifies xterm.js, whose behavior at a resize differs from others. */
export const terminalEnvironment = { TERM_PROGRAM: 'vscode' }

export interface Guest extends ScreenOptions {
  /** The shell command that starts the program. */
  readonly command: string
  readonly env: Record<string, string>
  /** Which terminal (default: xterm.js). */
  readonly start?: typeof onTerminal
  /** The last line on the screen when the program is ready for input. */
  readonly prompt: string
}

/**
 * Starts a program in a shell, and checks that it leaves the terminal settings unchanged.
 * @param use Uses the program, from its prompt to its end.
 */
export async function expectTerminalRestored(guest: Guest, use: (screen: Screen) => Promise<void>): Promise<Screen> {
  const screen = await startShell(guest)
  const before = await settings(screen, 'before')
  screen.type("printf '\\e[H\\e[2J'\r")
  await screen.until((lines) => lines.at(-1) === '$')
  screen.type('eval "$GUEST"; echo status $?\r')
  await screen.until((lines) => lines.at(-1) === guest.prompt)
  await use(screen)
  expect(await settings(screen, 'after')).toBe(before)
  expect(keyModesOn(screen)).toEqual([])
  screen.type('exit\r')
  await screen.ended
  return screen
}

/** How a program turns on the modes for keys with modifiers, and gives them back. */
const keyModes: Readonly<Record<string, readonly [on: string, off: string]>> = {
  modifyOtherKeys: ['\u001b[>4;1m', '\u001b[>4m'],
  'focus reports': ['\u001b[?1004h', '\u001b[?1004l'],
  'the kitty protocol': ['\u001b[>5u', '\u001b[<u'],
}

/** The modes that a program has turned on more often than off. The kitty protocol is a stack. */
export function keyModesOn(screen: Screen): string[] {
  const count = (sequence: string): number => screen.written().split(sequence).length - 1
  return Object.entries(keyModes).flatMap(([name, [on, off]]) =>
    count(on) === count(off) ? [] : [`${name}: ${count(on)} times on, ${count(off)} off`],
  )
}

/** Waits until the program has ended with this exit status. */
export async function status(screen: Screen, code: number): Promise<void> {
  await screen.until((lines) => lines.some((line) => line.endsWith(`status ${code}`)))
}

async function startShell({ command, env, start = onTerminal, ...options }: Guest): Promise<Screen> {
  const all = { ...terminalEnvironment, PS1: '$ ', GUEST: command, ...env }
  const screen = start('bash', ['--norc', '--noprofile', '-i'], all, options)
  await screen.until((lines) => lines.at(-1) === '$')
  return screen
}

/** The settings for a command that bash runs, which differ from those of its line editor. */
async function settings(screen: Screen, name: string): Promise<string> {
  screen.type(`echo "${name} $(stty -a | tr '\\n' ' ')" ${name}-end\r`)
  const found = (lines: string[]): string | undefined =>
    new RegExp(`${name} (speed.*)${name}-end`).exec(lines.join(''))?.[1]
  await screen.until((lines) => found(lines) !== undefined)
  return (found(screen.lines()) ?? '').replaceAll(/\s/g, '')
}
