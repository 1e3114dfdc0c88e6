import { chatMessageText } from '../../conversation/message.ts'
import { FailedError, UsageError } from '../../errors.ts'
import { invalidValue } from '../../fields/problem.ts'
import { copyToClipboard } from '../../io/process/clipboard.ts'
import { quote } from '../../io/json/json.ts'
import { pluralize } from '../../io/text/plural.ts'
import { safe } from '../../io/text/safe-text.ts'
import { withSpinner } from '../../terminal/spinner.ts'
import type { ChatState } from '../state.ts'
import { completeNumber, numberedTurn, numberedTurns } from './numbered.ts'
import type { SlashCommand } from './slash-command.ts'

export const copy: SlashCommand = {
  name: 'copy',
  argument: '[N | code [N]]',
  help: 'Copy the last answer, answer N, or a code block.',
  runsAtOnce: true,
  complete: (typed, chat) => [{ text: 'code' }, ...completeNumber(typed, chat)],
  run: async (typed = '', chat) => {
    const { context, signal } = chat
    const [isValid, code, number] = /^(code)?(?: *(\d+))?$/.exec(typed) ?? []
    if (isValid === undefined) {
      const expected = 'the number of an answer, or code and the number of a code block'
      throw invalidValue('/copy', { path: [], found: quote(typed), expected })
    }
    const { name, isLast, text: answer } = answerOf(code === undefined ? number : undefined, chat)
    const text = code === undefined ? answer : pick(number, await codeBlocks(answer, signal), name)
    const how = await withSpinner(safe`copying`, context, () => copyToClipboard(text, context.io, signal))
    // While an answer arrives, or after a message without one, it is that of another message.
    return `copied ${pluralize(text.length, 'character')} ${isLast ? '' : `of ${name} `}${how}`
  },
}

/** @returns `isLast` if it is that of the last message, without having been asked for by its number. */
function answerOf(typed: string | undefined, chat: ChatState): { name: string; isLast: boolean; text: string } {
  const turns = numberedTurns(chat)
  const found = typed === undefined ? turns.findLast(({ answer }) => answer) : numberedTurn(typed, '/copy', chat)
  if (!found?.answer)
    throw new FailedError(found ? `/copy: message ${found.number} has no answer` : '/copy: no answer yet')
  const text = chat.context.secrets.mask(chatMessageText(found.answer.message))
  return { name: `answer ${found.number}`, isLast: typed === undefined && found.number === turns.length, text }
}

/** Without the last line feed: pasted into a shell, it would run the code. */
async function codeBlocks(text: string, signal: AbortSignal): Promise<string[]> {
  const { fencedBlocks } = await import('../../terminal/markdown/fenced-code.ts')
  const blocks = await fencedBlocks(text, signal)
  return blocks.filter((block) => block.trim() !== '').map((block) => block.replace(/\n$/, ''))
}

function pick(number: string | undefined, blocks: readonly string[], name: string): string {
  const block = number === undefined ? blocks.at(-1) : blocks[Number(number) - 1]
  if (block !== undefined) return block
  const count = blocks.length === 0 ? 'no code block' : pluralize(blocks.length, 'code block')
  throw new UsageError(`/copy code${number === undefined ? '' : ` ${number}`}: ${name} has ${count}`)
}
