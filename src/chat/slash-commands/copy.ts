import { chatMessageText } from '../../conversation/message.ts'
import { FailedError, UsageError } from '../../errors.ts'
import { invalidValue } from '../../fields/problem.ts'
import { copyToClipboard } from '../../io/process/clipboard.ts'
import { quote } from '../../io/json/json.ts'
import { pluralize } from '../../io/text/plural.ts'
import { safe } from '../../io/text/safe-text.ts'
import { withSpinner } from '../../terminal/spinner.ts'
import { allTurns, completeNumber, numberedTurn } from './numbered.ts'
import type { SlashCommand } from './slash-command.ts'

export const copy: SlashCommand = {
  name: 'copy',
  argument: '[N | code [N]]',
  help: 'Copy the last answer, answer N, or a code block.',
  runsAtOnce: true,
  complete: (typed, chat) => [{ text: 'code' }, ...completeNumber(typed, chat)],
  run: async (typed = '', chat, out) => {
    const { context, signal } = chat
    const [isValid, code, number] = /^(code)?(?: *(\d+))?$/.exec(typed) ?? []
    if (isValid === undefined) {
      const expected = 'the number of an answer, or code and the number of a code block'
      throw invalidValue('/copy', { path: [], found: quote(typed), expected })
    }
    const isNumbered = code === undefined && number !== undefined
    const last = isNumbered ? undefined : allTurns(chat).findLast(({ answer }) => answer)
    const found = last ?? numberedTurn(isNumbered ? number : undefined, '/copy', chat)
    if (!found.answer)
      throw new FailedError(`/copy: ${isNumbered ? `message ${number} has no answer` : 'no answer yet'}`)
    const name = found.number === 0 ? 'the summary' : `answer ${found.number}`
    const answer = chatMessageText(found.answer.message)
    const text = code === undefined ? answer : await codeBlock(number, answer, name, signal)
    const how = await withSpinner(safe`copying`, context, () => copyToClipboard(text, { ...context.io, out }, signal))
    return `copied ${pluralize(text.length, 'character')} of ${name} ${how}`
  },
}

/** @param number `undefined` for the last one. @throws UsageError without such a block, FailedError without any. */
async function codeBlock(number: string | undefined, text: string, name: string, signal: AbortSignal): Promise<string> {
  const { fencedBlocks } = await import('../../terminal/markdown/fenced-code.ts')
  const blocks = await fencedBlocks(text, signal)
  const block = number === undefined ? blocks.at(-1) : blocks[Number(number) - 1]
  // Pasted into a shell, the last line feed would run the code.
  if (block !== undefined) return block.replace(/\n$/, '')
  if (number === undefined) throw new FailedError(`/copy code: ${name} has no code block`)
  const count = blocks.length === 0 ? 'no code block' : pluralize(blocks.length, 'code block')
  throw new UsageError(`/copy code ${number}: ${name} has ${count}`)
}
