/** Opens URLs in the user's browser. */

import { spawn } from 'node:child_process'
import { FailedError } from '../errors.ts'
import type { Io } from './io.ts'

type Environment = Pick<Io, 'env' | 'platform'>

/**
 * Starts the browser and does not wait for it.
 * @param address From `webUrl()`: other programs get it as an argument.
 * @throws FailedError when no program can be started.
 */
export async function openInBrowser(address: string, environment: Environment): Promise<void> {
  const commands = browserCommands(address, environment)
  for (const [program, ...argv] of commands) {
    if (program !== undefined && (await hasStarted(program, argv, environment))) return
  }
  const names = commands.map(([program]) => program).join(', ')
  throw new FailedError(`no browser can be started: ${names} can't be run`, {
    hint: `BROWSER names the command of one; the address is ${address}`,
  })
}

/** BROWSER is a colon-separated list of commands, each with its arguments; `%s` stands for the URL. */
function browserCommands(address: string, { env, platform }: Environment): string[][] {
  const { BROWSER: named = '' } = env
  if (platform === 'win32') return [[...(named === '' ? platformCommand(platform) : [named]), address]]
  const commands = named.split(':').flatMap((command) => {
    const words = command.split(' ').filter(Boolean)
    if (words.length === 0) return []
    return [words.includes('%s') ? words.map((word) => (word === '%s' ? address : word)) : [...words, address]]
  })
  return commands.length > 0 ? commands : [[...platformCommand(platform), address]]
}

function platformCommand(platform: NodeJS.Platform): string[] {
  if (platform === 'darwin') return ['open']
  // `start` is a shell command: the shell would interpret an & in the URL.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}

function hasStarted(program: string, argv: readonly string[], { env }: Environment): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, argv, { env, stdio: 'ignore', detached: true })
    child.on('error', () => resolve(false))
    child.on('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
