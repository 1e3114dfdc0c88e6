/** The interactive chat on a pseudo-terminal, against a local server. */

import type { ServerResponse } from 'node:http'
import type { FamilyFixture } from './dialects.ts'
import { type Answer, type Asked, json, type Service, startService } from './service.ts'
import { environment } from './program.ts'
import { synOnTerminal, type Screen, type SynOptions } from './terminal.ts'

export interface InteractiveChat extends AsyncDisposable {
  readonly screen: Screen
  readonly service: Service
  readonly home: string
  /** Types a line, waits for the next prompt, and clears what comes back into it, as a command that was refused. */
  enter(text: string): Promise<void>
  /** Types, and waits until the last line is this one. */
  type(keys: string, last: string): Promise<void>
  /** Clears the input line. */
  clear(): Promise<void>
  /** The lines below the last one that contains this text, except the prompt. */
  linesBelow(text: string): string[]
  /** The same, joined to one line. */
  textBelow(text: string): string
  /** The bodies of the requests to models. */
  sent(): Body[]
  /** The content of the last message of each. */
  contents(): unknown[]
}

export interface Body {
  model: string
  messages: { role: string; content: unknown }[]
  [field: string]: unknown
}

export interface ChatOptions extends SynOptions {
  /** The API dialect (default: that of the chat). */
  dialect?: FamilyFixture
  argv?: string[]
  env?: Record<string, string>
  /** Which terminal (default: xterm.js). */
  start?: typeof synOnTerminal
}

/** With what is attached, such as `[photo.png +2] ›`. */
const promptStart = /^(\[[^\]]+\] )?›/

function isPrompt(line = ''): boolean {
  return line.replace(promptStart, '') === '' && line !== ''
}

/**
 * @param answers One per request, in order; the last one also for all further requests. The requests of the status row,
 *   which come at any time after an answer, take none of several answers: they are not found.
 */
export async function openChat(
  answers: Answer[],
  { dialect, argv = [], env, start = synOnTerminal, ...options }: ChatOptions = {},
): Promise<InteractiveChat> {
  let used = 0
  const replies: ServerResponse[] = []
  const service = await startService((asked, response) => {
    const hasAnswered = replies.some(({ headersSent, statusCode }) => headersSent && statusCode === 200)
    if (hasAnswered && answers.length > 1 && isStatusRequest(asked)) return notFound(asked, response)
    if (isModelRequest(asked)) replies.push(response)
    return answers[Math.min(used++, answers.length - 1)]?.(asked, response)
  })
  // With the background, for which the chat would ask the terminal.
  const all: Record<string, string> = { ...environment(service), TZ: 'UTC', COLORFGBG: '15;0', ...env }
  const screen = start(['chat', ...(dialect?.argv ?? []), ...argv], all, options)
  await screen.until((lines) => isPrompt(lines.at(-1)))
  const linesBelow = (text: string): string[] => {
    const lines = screen.lines()
    // The status row appears a moment after the prompt, below a blank one.
    const isStatus = lines.at(-2)?.startsWith('esc stops') || (lines.at(-2) !== '' && lines.at(-3) === '')
    const end = isStatus ? -2 : -1
    const below = lines.slice(lines.findLastIndex((line) => line.includes(text)) + 1, end)
    // Between a question and its answer.
    return below[0] === '' ? below.slice(1) : below
  }
  const sent = (): Body[] => service.asked.filter(isModelRequest).map(({ json }) => json as Body)
  const clear = async (): Promise<void> => {
    screen.type('\u0005\u0015')
    await screen.until((lines) => isPrompt(lines.at(-1)))
  }
  return {
    screen,
    service,
    home: all.HOME ?? '',
    enter: async (text) => {
      const before = prompts(screen.lines())
      screen.type(`${text}\r`)
      await screen.until((lines) => prompts(lines) > before && (isPrompt(lines.at(-1)) || endsWithLine(lines, text)))
      if (!isPrompt(screen.lines().at(-1))) await clear()
    },
    type: (keys, last) => {
      screen.type(keys)
      return screen.until((lines) => lines.at(-1) === last)
    },
    clear,
    linesBelow,
    textBelow: (text) => linesBelow(text).join(' ').trimEnd(),
    sent,
    contents: () => sent().map(({ messages }) => messages.at(-1)?.content),
    [Symbol.asyncDispose]: async () => {
      // Ctrl-D would leave an answer or a command that is running, and a draft of several lines.
      screen.close()
      await screen.ended
      await service.close()
    },
  }
}

/** The last line of the answer while it arrives: the one above the status and the input line. */
export function lastTextLine(lines: readonly string[]): string | undefined {
  const end = lines.findLastIndex((line) => line.startsWith('»'))
  return lines.slice(0, end === -1 ? undefined : end).findLast((line) => line !== '' && !line.startsWith('esc stops'))
}

/** Whether this text is in the input line. */
function endsWithLine(lines: readonly string[], text: string): boolean {
  const rows = lines.slice(lines.findLastIndex((line) => promptStart.test(line)))
  const plain = (shown: string): string => shown.replace(/\s+/g, '')
  return plain(rows.join('').replace(promptStart, '')) === plain(text)
}

function prompts(lines: readonly string[]): number {
  return lines.filter((line) => promptStart.test(line)).length
}

const notFound = json({ error: 'not found' }, 404)

function isStatusRequest({ method, path }: Asked): boolean {
  return method === 'GET' && /\/(models|quotas)$/.test(path)
}

function isModelRequest({ path }: Asked): boolean {
  return /\/(chat\/completions|messages)$/.test(path)
}
