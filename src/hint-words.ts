/** Words hints for those who read them: in the chat, or after a command, by the account that the command line names. */

import { type Hint, type HintCode, SynError, withHint } from './errors.ts'
import { flagOf } from './fields/field.ts'
import type { GlobalValues } from './fields/global-options.ts'
import { shellWord } from './io/text/shell-word.ts'

/** Who reads a hint, and in which run. */
export interface HintAudience extends Pick<GlobalValues, 'profile' | 'baseUrl'> {
  readonly isChat?: boolean
  /** Whether the service has answered in this run: then its base URL is right. */
  hasAnswered?(): boolean
}

/** The error with its hint in words. */
export function withHintText(error: unknown, voice: HintAudience): unknown {
  return error instanceof SynError && error.hint !== undefined ? withHint(error, hintWords(error.hint, voice)) : error
}

/** @returns an empty text for a hint that is of no use there. */
export function hintWords(hint: Hint, voice: HintAudience = {}): string {
  if (typeof hint === 'string') return hint
  if ('code' in hint) return codeWords(hint, voice)
  const texts = hint.map((one) => hintWords(one, voice))
  return texts.filter((text) => text !== '').join('; ')
}

function codeWords(hint: HintCode, voice: HintAudience): string {
  const { isChat, baseUrl } = voice
  switch (hint.code) {
    case 'sentence':
      return String.raw({ raw: hint.texts }, ...hint.parts.map((part) => hintWords(part, voice)))
    case 'command':
      return completed(hint.command, voice)
    case 'check base URL': {
      if (voice.hasAnswered?.()) return ''
      const where = baseUrl === undefined ? completed('config get base-url', voice) : `--base-url ${shellWord(baseUrl)}`
      return `check the base URL: ${where}`
    }
    case 'count tokens':
      if (isChat) return 'use /compact, /undo or /new to shorten the conversation'
      return `use ${completed('count-tokens', voice)} to count the tokens of the prompt`
    case 'large request': {
      const [size, limit] = [hint.size, hint.limit].map((bytes) => Number((bytes / 1024 ** 2).toFixed(2)))
      const less = isChat ? 'use /compact to shorten the conversation' : 'send less text'
      const advice = hint.isImages
        ? `send a smaller image${isChat ? `, ${less}, or /image "" to send no earlier one` : ''}`
        : less
      return `the request has ${size} MiB, and the service may read only ${limit} MiB: ${advice}`
    }
    case 'earlier images':
      if (!isChat && !hint.isOnlyWay) return ''
      return `${isChat ? '' : 'in an interactive chat, '}/image "" takes earlier images out of what is sent`
    case 'list models':
      if (isChat) return 'Press Tab after /model to list the available models'
      return `Use ${completed('models', voice)} to list the available models`
    case 'use model':
      if (isChat) return `Use /model ${hint.model}`
      return `Use -m ${hint.model}${hint.hasFallback ? ', or --fallback to switch automatically' : ''}`
    case 'fields':
      return hint.names
        .map((name) => (!isChat ? flagOf(name) : name === 'messages' ? 'a new message' : `/set ${name}`))
        .join(' and ')
    case 'other effort':
      if (isChat) return 'use /set reasoning_effort to choose another'
      return `use -p ${shellWord(`reasoning_effort=${hint.effort}`)} to send it unchecked`
    case 'set variable':
      return `use ${isChat ? '--' : '--var '}${shellWord(`${hint.name}=TEXT`)}`
    case 'allow cut':
      return isChat ? '' : 'use --allow-cut to take it as it is'
  }
}

/** The command with the flags of the account that it does not have. Settings belong to a profile alone. */
function completed(command: string, { profile, baseUrl }: HintAudience): string {
  const flags = { '--profile': profile, '--base-url': command.startsWith('config ') ? undefined : baseUrl }
  const added = Object.entries(flags).filter(([flag, value]) => value !== undefined && !command.includes(flag))
  return ['syn', command, ...added.map(([flag, value = '']) => `${flag} ${shellWord(value)}`)].join(' ')
}
