/** Tells users who have turned to something else that an answer has come, or that a tool needs approval. */

import type { CommandContext } from '../context.ts'
import { type Io, withoutOwnVariables } from '../io/io.ts'
import { childFailure } from '../io/process/child-exit.ts'
import { safe, type SafeText } from '../io/text/safe-text.ts'
import { startTimer } from '../io/time/time.ts'

type NotifyContext = Pick<CommandContext, 'io' | 'settings' | 'notices'>

/** Does what the setting `notify` says after a long wait; always rings for a screen reader. @param text No words of the model. @param waited In milliseconds. */
export async function notify(text: SafeText, waited: number, { io, settings, notices }: NotifyContext): Promise<void> {
  const { out, env } = io
  const how = settings.get('notify')?.value ?? 'auto'
  const hasFocus = out.isTerminal ? out.hasFocus : undefined
  // A user who has just answered a question is there.
  const isShort = Math.min(waited, io.elapsed() - io.in.keyAt) <= 10_000
  const isLate = !isShort && !hasFocus && how !== 'off' && (how !== 'auto' || hasFocus !== undefined)
  const isCommand = how !== 'auto' && how !== 'bell'
  if ((io.isAccessible?.() || (isLate && !isCommand)) && io.in.kind === 'terminal' && out.isTerminal) {
    const sequence = (isLate && how === 'auto' && sequenceFor(env, text)) || safe`\u0007`
    await out.writeDirectly(sequence).catch(() => undefined)
  }
  if (!isLate || !isCommand) return
  const { spawn } = await import('node:child_process')
  // In a session of its own it has no terminal: it can neither write over the chat nor read its keys.
  const options = { shell: true, env: withoutOwnVariables(io), detached: io.platform !== 'win32', windowsHide: true }
  const child = spawn(how, { ...options, stdio: ['pipe', 'ignore', 'ignore'] })
  // The command may end without reading.
  child.stdin?.on('error', () => undefined).end(`syn: ${text}\n`)
  // A run that has ended waits no longer for a failure. The command is not quoted: its words may contain a key.
  startTimer(2000, () => child.unref()).unref()
  void childFailure(child).then((why) => (why ? notices.warn(`the command of the setting notify ${why}`) : undefined))
}

/**
 * Only what a terminal documents; the others get a bell. VTE shows OSC 777 with a patch of Fedora, urxvt with an extension, Windows
 * Terminal since 2026 (its #20012). Multiplexers drop both, and mark the window at a bell. To ConEmu, OSC 9 and a digit is a command.
 */
function sequenceFor({ TERM = '', TERM_PROGRAM = '', ...env }: Io['env'], text: SafeText): SafeText | undefined {
  if (env.TMUX || env.STY || env.ZELLIJ || /^(tmux|screen)/.test(TERM)) return undefined
  // Over SSH, LC_TERMINAL is often the only trace of iTerm2.
  if (TERM_PROGRAM === 'iTerm.app' || env.LC_TERMINAL === 'iTerm2') return safe`\u001b]9;syn: ${text}\u0007`
  const isKnown = /kitty|ghostty|wezterm|^foot/i.test(`${TERM} ${TERM_PROGRAM}`)
  return isKnown ? safe`\u001b]777;notify;syn;${text}\u0007` : undefined
}
