/** The slash commands for conversations as a whole. */

import { currentModelName, sendTurn } from '../answer.ts'
import { withStillAttached } from '../attachments.ts'
import { switchTo, type ChatState, printNotice } from '../state.ts'
import type { SlashCommand } from './slash-command.ts'
import { branchMessages, isSummaryTurn, systemOf } from '../../conversation/conversation.ts'
import { chatMessageText } from '../../conversation/message.ts'
import type { Session } from '../../conversation/session.ts'
import { openStore } from '../../conversation/store.ts'
import { pluralize } from '../../io/text/plural.ts'
import { relativeTime } from '../../io/time/time.ts'
import { showLastTurns } from '../stored-answer.ts'
import { exportFormatOf, writeExport } from '../../conversation/export.ts'
import { allBranches, currentBranch, transcriptLines } from '../../conversation/transcript.ts'
import { UsageError, CutShortError, FailedError, StatusError, SynError, withHint, withMessage } from '../../errors.ts'
import { withTarget } from '../../io/files/output.ts'
import { statsOf } from '../../io/files/stats.ts'
import { completePath, expandHome, pathScope, unquoted } from '../argument-completion.ts'
import type { Meter } from '../../answer/meter.ts'
import { safe } from '../../io/text/safe-text.ts'
import { finishKind } from '../../stream/finish-reason.ts'
import { contextSize, messageTokens } from '../context-size.ts'
import { takeBack } from './messages.ts'

const newConversation: SlashCommand = {
  name: 'new',
  synonyms: ['/clear', '/reset', 'clear'],
  help: 'Start a new conversation.',
  run: async (_argument, chat) => {
    switchTo(chat.session.startNew(), chat)
    const model = await currentModelName(chat)
    const other = model === chat.announcedModel ? '' : ` with ${model}`
    chat.announcedModel = model
    return withStillAttached(`started a new conversation${other}`, chat)
  },
}

const load: SlashCommand = {
  name: 'load',
  synonyms: ['/resume', '/sessions', '/history'],
  argument: 'NAME|ID',
  help: 'Continue another conversation; Tab lists them.',
  complete: async (_scope, { context }) => {
    const summaries = await openStore(context, { notify: () => Promise.resolve() }).list()
    return summaries.map((one) => ({
      text: one.name ?? one.id,
      shown: one.name ?? one.title,
      help: `${relativeTime(Date.parse(one.updated), context.io.now())} · ${pluralize(one.turns, 'message')}`,
    }))
  },
  run: async (text = '', chat) => {
    switchTo(await chat.session.load(text), chat)
    // The system prompt of the loaded conversation applies.
    chat.system = systemOf(chat.session.path) ?? chat.system
    await showLastTurns(chat)
    return withStillAttached(chat.session.accountWarning, chat)
  },
}

const save: SlashCommand = {
  name: 'save',
  synonyms: ['/export'],
  argument: 'FILE',
  help: 'Save the conversation: as .md, .html, .json or .jsonl.',
  scope: pathScope,
  complete: completePath,
  run: async (typed = '', chat) => {
    const { conversation } = chat.session
    const { io } = chat.context
    const file = unquoted(typed)
    const path = expandHome(file, io)
    const format = exportFormatOf(path, '/save')
    if (chat.replaceablePath !== path && statsOf(path)?.isFile()) {
      chat.replaceablePath = path
      throw new UsageError(`/save: ${path} already exists`, { hint: 'repeat the command to replace it' })
    }
    // What was said before /compact is in no branch.
    const transcriptOf = chat.session.path.some(isSummaryTurn) ? allBranches : currentBranch
    const options = { format, title: conversation.title }
    await withTarget(path, io, (target) => writeExport(transcriptOf(conversation), options, target, io.signal), '/save')
    chat.replaceablePath = path
    return `saved to ${file}`
  },
}

const rename: SlashCommand = {
  name: 'rename',
  argument: 'NAME',
  help: 'Rename the conversation.',
  run: async (text = '', chat) => {
    const name = await chat.session.rename(text)
    return `renamed the conversation to ${JSON.stringify(name)}`
  },
}

const instruction =
  'Summarize our conversation so far. From now on, your summary takes its place: keep the goal, decisions, facts, names, ' +
  'numbers, code in use, open questions, and what I asked for last. Be brief, use the language of the conversation, and ' +
  'write nothing but the summary.'

/** Fields that would change or cut the summary. The budget of `thinking` must be below the limit of tokens. */
const omitted = /^(response_format|n|max(_completion)?_tokens|thinking|stop(_sequences)?|.*tool.*|function.*)$/

const compact: SlashCommand = {
  name: 'compact',
  synonyms: ['/compress', '/summarize'],
  argument: '[WORDS]',
  takesText: true,
  help: 'Continue from a summary; WORDS say what it must keep.',
  run: async (words, chat) => {
    await chat.session.settle(chat.context, chat.signal)
    const { conversation } = chat.session
    const { unanswered } = conversation
    // Some services report none, or far too few.
    const estimate = messageTokens(branchMessages(conversation.answeredPath()))
    const before = Math.max(contextSize(conversation).tokens, estimate)
    try {
      const content = words === undefined ? instruction : `${instruction}\n\nKeep in mind: ${words}`
      await chat.session.summarize(await draftSummary(before, content, chat), { role: 'user', content })
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

/**
 * Asks for a summary. If the conversation is too long for a request, its text is summarized in halves, the second with the
 * summary of the first.
 * @param before The tokens of the conversation.
 * @throws FailedError if the summary is of no use; what `sendTurn` throws.
 */
async function draftSummary(before: number, instruction: string, chat: ChatState): Promise<Session> {
  const path = chat.session.conversation.answeredPath()
  const system = chat.system ?? systemOf(path)
  const replaced = before - messageTokens([{ content: system ?? '' }])
  const isLong = (summary = ''): boolean => 2 * messageTokens([{ content: instruction + summary }]) > replaced
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
  const summarize = async (text: string, session = chat.session.draft([])): Promise<Session> => {
    await chat.context.io.out.write(safe`\n`)
    const content = [text, instruction].filter(Boolean).join('\n\n').toWellFormed()
    const messages = [{ role: 'user', content }]
    try {
      await sendTurn({ system, messages, omitsImages: true }, { ...chat, session, fields, check, onAnswer, tools })
    } catch (error) {
      if (!(error instanceof StatusError) || !error.isTooLong) throw error
      if (text === '') await printNotice(chat, 'too long for one request: summarizing it in parts')
      const lines = transcriptLines(path).map((line) => `${line.role}: ${line.text}`)
      const all = text || lines.join('\n\n')
      const half = all.length / 2
      const first = all.length < shortestText ? undefined : (await summarize(all.slice(0, half))).lastAnswer
      const summary = chatMessageText(first?.message ?? null)
      // Else it would not become shorter.
      if (!first || summary.length > half) throw error
      return summarize(`${summary}\n\n${all.slice(half)}`)
    }
    if (!meter?.answer.choice(0)?.hasText) throw new FailedError('the summary is empty')
    return session
  }
  return summarize('', chat.session.draft(path))
}

/** In characters: a text that is no longer is not cut in half. */
const shortestText = 2000

export const conversationCommands: readonly SlashCommand[] = [save, compact, newConversation, load, rename]
