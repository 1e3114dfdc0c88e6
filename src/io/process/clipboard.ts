/** The clipboard of the user's desktop, of tmux, or of the terminal. */

import { spawn } from 'node:child_process'
import { FailedError, UsageError } from '../../errors.ts'
import { safe, sanitizeName } from '../text/safe-text.ts'
import { startTimer } from '../time/time.ts'
import { type Io, withoutOwnVariables } from '../io.ts'
import { outputOf, startGroup } from './process-group.ts'

/** In milliseconds, of all programs together: xclip waits forever for a display that does not answer. */
const longest = 2000

/**
 * Copies a text with the first program that takes it, or else by OSC 52, which most terminals allow, also over SSH.
 * @returns how, such as `with wl-copy`.
 * @throws FailedError if there is no way; the signal's reason.
 */
export async function copyToClipboard(text: string, io: Io, signal: AbortSignal): Promise<string> {
  const tooLong = new AbortController()
  startTimer(longest, () => tooLong.abort()).unref()
  const failures: string[] = []
  for (const command of clipboardCommands(io)) {
    const [program = '', ...argv] = command.split(' ')
    const stopping = AbortSignal.any([signal, tooLong.signal])
    // What stays in the background, such as xclip, is in a session of its own: it outlives the terminal.
    const options = { env: withoutOwnVariables(io), signal: stopping, detached: true }
    const child = spawn(program, argv, { ...options, killSignal: 'SIGKILL', stdio: ['pipe', 'ignore', 'ignore'] })
    // A program may end without reading the whole text.
    child.stdin.on('error', () => undefined).end(text)
    const failure = await new Promise<string | undefined>((resolve) => {
      const took = `did not end within ${longest / 1000} s`
      child.on('error', ({ name }) => resolve(name === 'AbortError' ? took : 'cannot be run'))
      child.on('exit', (status) => resolve(status === 0 ? undefined : 'failed'))
    })
    signal.throwIfAborted()
    if (failure === undefined) return program === 'tmux' ? "to tmux's buffer" : `with ${program}`
    failures.push(`${program} ${failure}`)
    if (tooLong.signal.aborted) break
  }
  const tried = failures.join(', ')
  if (io.env.TERM === 'dumb') {
    const hint = 'use /save FILE to write to a file'
    throw new FailedError(`/copy: this terminal has no clipboard${tried && `; ${tried}`}`, { hint })
  }
  await io.out.write(safe`\u001b]52;c;${sanitizeName(Buffer.from(text).toString('base64'))}\u0007`)
  return `by OSC 52, if the terminal allows clipboard access${tried && ` (${tried})`}`
}

/** Programs whose display is there. tmux keeps OSC 52 to itself, and with -w passes the text on to the terminal. */
function clipboardCommands({ env, platform }: Pick<Io, 'env' | 'platform'>): string[] {
  const tmux = env.TMUX ? ['tmux load-buffer -w -'] : []
  // A display is then seldom the one that the user sits at.
  if (env.SSH_CONNECTION || env.SSH_TTY) return tmux
  const mac = platform === 'darwin' ? ['pbcopy'] : []
  const wayland = env.WAYLAND_DISPLAY ? ['wl-copy'] : []
  const x11 = env.DISPLAY ? ['xclip -selection clipboard', 'xsel --clipboard --input'] : []
  return [...tmux, ...mac, ...wayland, ...x11]
}

/** PowerShell 7 reads no images. The encoder needs a stream that it can rewind, unlike that of stdout. */
const powerShell =
  "powershell.exe -NoProfile -Command $i = Get-Clipboard -Format Image; if (!$i) { [Console]::Error.Write('it has none'); " +
  'exit 1 }; $m = New-Object IO.MemoryStream; $i.Save($m, [Drawing.Imaging.ImageFormat]::Png); ' +
  '$m.WriteTo([Console]::OpenStandardOutput())'

/**
 * Reads an image as PNG, which desktops make of other formats, with the first program that can be run.
 * @throws UsageError that starts with `where` if there is none; the signal's reason.
 */
export async function readClipboardImage(where: string, io: Io): Promise<Uint8Array> {
  const commands: [isThere: unknown, command: string][] = [
    // In WSL, the display has a BMP image at most (wslg #833).
    [io.platform === 'win32' || io.env.WSL_DISTRO_NAME, powerShell],
    [io.platform === 'darwin', 'pngpaste -'],
    [io.env.WAYLAND_DISPLAY, 'wl-paste --type image/png'],
    [io.env.DISPLAY, 'xclip -selection clipboard -o -t image/png'],
  ]
  let why = 'there is no display'
  for (const [, command] of commands.filter(([isThere]) => isThere)) {
    // PowerShell starts slowly, and xclip waits forever for a program that does not answer (claude-code #96119).
    const tooLong = AbortSignal.timeout(10_000)
    const group = startGroup(command.split(' '), withoutOwnVariables(io), io)
    const { output, errors, failure } = await outputOf(group, AbortSignal.any([io.signal, tooLong]))
    io.signal.throwIfAborted()
    if (failure === undefined) return output
    why = tooLong.aborted ? 'no answer within 10 s' : errors.toString().split('\n')[0] || failure
    if (!failure.startsWith('cannot be run')) break
  }
  const hint = 'copy the image itself, or give the path of its file; it is read with xclip, wl-paste or pngpaste'
  throw new UsageError(`${where}: no image from the clipboard: ${why}`, { hint })
}
