/** The interactive chat on a real terminal, against a real service. */

import type { TestFamily } from './families.ts'
import { type Answer, type Asked, type Service, startService } from './service.ts'
import { environment } from './program.ts'
import { synOnTerminal, type Screen, type ScreenOptions } from './terminal.ts'

export interface Talk extends AsyncDisposable {
  readonly screen: Screen
  readonly service: Service
  readonly home: string
  /** Types a line, and waits until the next one can be written below what it brought. */
  say(text: string): Promise<void>
  /** Takes out of the line what stands in it. */
  clear(): Promise<void>
  /** What is shown from the line on that holds this text. */
  below(text: string): string[]
  /** The same in one line, however many it takes. */
  told(text: string): string
  /** The bodies that were sent to models. */
  sent(): Body[]
}

export interface Body {
  model: string
  messages: { role: string; content: unknown }[]
  [field: string]: unknown
}

export interface TalkOptions extends ScreenOptions {
  /** What the chat speaks; its own choice when absent. */
  family?: TestFamily
  argv?: string[]
  env?: Record<string, string>
}

const prompt = '›'

/** @param answers As of `startService`. */
export async function talk(answers: Answer[], { family, argv = [], env, ...options }: TalkOptions = {}): Promise<Talk> {
  const service = await startService(...answers)
  const all: Record<string, string> = { ...environment(service), TZ: 'UTC', ...env }
  const screen = synOnTerminal(['chat', ...(family?.argv ?? []), ...argv], all, options)
  await screen.until((lines) => lines.at(-1) === prompt)
  const below = (text: string): string[] => {
    const lines = screen.lines()
    return lines.slice(lines.findLastIndex((line) => line.includes(text)) + 1, -1)
  }
  return {
    screen,
    service,
    home: all.HOME ?? '',
    say: async (text) => {
      const before = prompts(screen.lines())
      screen.type(`${text}\r`)
      await screen.until((lines) => lines.at(-1) === prompt && prompts(lines) > before)
    },
    clear: async () => {
      screen.type('\u0005\u0015')
      await screen.until((lines) => lines.at(-1) === prompt)
    },
    below,
    told: (text) => below(text).join(' ').trimEnd(),
    sent: () => service.asked.filter(isModelRequest).map(({ json }) => json as Body),
    [Symbol.asyncDispose]: async () => {
      screen.type('\u0015\u0004')
      await screen.ended
      await service.close()
    },
  }
}

function prompts(lines: readonly string[]): number {
  return lines.filter((line) => line.startsWith(prompt)).length
}

function isModelRequest({ path }: Asked): boolean {
  return /\/(chat\/completions|messages)$/.test(path)
}
