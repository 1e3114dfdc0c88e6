import type { Meter } from '../../answer/meter.ts'
import { branchMessages, systemOf } from '../../conversation/conversation.ts'
import { CutShortError, FailedError, SynError, withHint, withMessage } from '../../errors.ts'
import { safe } from '../../io/text/safe-text.ts'
import { finishKind } from '../../stream/finish-reason.ts'
import { sendTurn } from '../answer.ts'
import { contextSize, estimatedTokens } from '../context-size.ts'
import { type ChatState, printNotice } from '../state.ts'
import { takeBack } from './sent-message.ts'
import type { SlashCommand } from './slash-command.ts'

const instruction =
  'Summarize our conversation so far. From now on, your summary takes its place: keep the goal, decisions, facts, names, ' +
  'numbers, code in use, open questions, and what I asked for last. Be brief, use the language of the conversation, and ' +
  'write nothing but the summary.'

/** Fields that would change or cut the summary. The budget of `thinking` must be below the limit of tokens. */
const omitted = /^(response_format|n|max(_completion)?_tokens|thinking|stop(_sequences)?|.*tool.*|function.*)$/

export const compact: SlashCommand = {
  name: 'compact',
  synonyms: ['/compress', '/summarize'],
  argument: '[WORDS]',
  takesText: true,
  help: 'Continue from a summary; WORDS say what it must keep.',
  run: async (words, chat) => {
    const { conversation } = chat.session
    const { unanswered } = conversation
    // Some services report none, or far too few.
    const estimate = estimatedTokens(branchMessages(conversation.answeredPath()))
    const before = Math.max(contextSize(conversation).tokens, estimate)
    try {
      await chat.session.summarize(await draftSummary(before, words, chat))
    } catch (error) {
      if (chat.signal.aborted && !chat.context.io.signal.aborted) return 'stopped; the conversation is unchanged'
      if (!(error instanceof SynError)) throw error
      // Hints are about messages.
      throw withHint(withMessage(error, `/compact: the conversation is unchanged: ${error.message}`), undefined)
    }
    const [from, to] = [before, contextSize(conversation).tokens].map((count) => count.toLocaleString('en-US'))
    await printNotice(chat, `compacted: about ${from} → ${to} tokens; /undo brings the messages back`)
    return unanswered && { kind: 'prefill', text: takeBack(unanswered, chat) }
  },
}

/** @param before The tokens of the conversation. @throws FailedError if the summary is of no use; what `sendTurn` throws. */
async function draftSummary(before: number, words: string | undefined, chat: ChatState) {
  const session = chat.session.draft()
  const content = words === undefined ? instruction : `${instruction}\n\nKeep in mind: ${words}`
  const request = { role: 'user', content }
  const replaced = before - estimatedTokens([{ content: chat.system ?? systemOf(session.path) ?? '' }])
  const isLong = (summary = ''): boolean => 2 * estimatedTokens([request, { content: summary }]) > replaced
  if (isLong()) throw new FailedError('it is too short to be summarized')
  let meter: Meter | undefined
  const onAnswer = (started: Meter): void => chat.onAnswer((meter = started))
  const check = async (summary: string): Promise<string> => {
    const { finishReason = '', refusal } = meter?.answer.choice(0) ?? {}
    if (refusal || finishKind(finishReason) !== 'done')
      throw new CutShortError('the service did not complete the summary')
    if (isLong(summary)) throw new FailedError('the summary is more than half as long as what it would replace')
    return summary
  }
  const fields = Object.fromEntries(Object.entries(chat.fields).filter(([name]) => !omitted.test(name)))
  const tools = { ...chat.tools, offered: undefined }
  await chat.context.io.out.write(safe`\n`)
  await sendTurn({ system: chat.system, messages: [request] }, { ...chat, session, fields, check, onAnswer, tools })
  if (!meter?.answer.choice(0)?.hasText) throw new FailedError('the summary is empty')
  return session
}
