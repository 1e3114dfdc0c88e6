/** Opens URLs in the user's browser. */

import { spawn } from 'node:child_process'
import { FailedError } from '../../errors.ts'
import { type Io, withoutOwnVariables } from '../io.ts'

type Environment = Pick<Io, 'env' | 'platform'>

/**
 * Starts the browser and does not wait for it.
 * @param url From `webUrl()`: other programs get it as an argument.
 * @throws FailedError when no program can be started.
 */
export async function openInBrowser(url: string, environment: Environment): Promise<void> {
  const commands = browserCommands(url, environment)
  for (const [program, ...argv] of commands) {
    if (program !== undefined && (await hasStarted(program, argv, environment))) return
  }
  const names = commands.map(([program]) => program).join(', ')
  throw new FailedError(`cannot start a browser: cannot run ${names}`, {
    hint: `set BROWSER to a command, or open ${url}`,
  })
}

/** BROWSER is a colon-separated list of commands, each with its arguments; `%s` is replaced by the URL. */
function browserCommands(url: string, { env, platform }: Environment): string[][] {
  const { BROWSER: browser = '' } = env
  if (platform === 'win32') return [[...(browser === '' ? platformCommand(platform) : [browser]), url]]
  const commands = browser.split(':').flatMap((command) => {
    const words = command.split(' ').filter(Boolean)
    if (words.length === 0) return []
    return [words.includes('%s') ? words.map((word) => (word === '%s' ? url : word)) : [...words, url]]
  })
  return commands.length > 0 ? commands : [[...platformCommand(platform), url]]
}

function platformCommand(platform: NodeJS.Platform): string[] {
  if (platform === 'darwin') return ['open']
  // `start` is a shell command: the shell would interpret an & in the URL.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}

function hasStarted(program: string, argv: readonly string[], environment: Environment): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, argv, { env: withoutOwnVariables(environment), stdio: 'ignore', detached: true })
    child.on('error', () => resolve(false))
    child.on('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
