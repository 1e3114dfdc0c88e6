/** The interactive chat: a loop that reads a line, and answers the message or runs the command in it. */

import { explain, InterruptedError, UsageError } from '../errors.ts'
import type { Session } from '../conversation/session.ts'
import { noText, safe, sanitizeName } from '../io/text/safe-text.ts'
import { timeAfterPause } from '../io/time/time.ts'
import { isOnlyOwn } from '../io/files/private.ts'
import { History, historyPath } from '../terminal/line-editor/history.ts'
import { InputLine } from '../terminal/line-editor/input-line.ts'
import { withSpinner } from '../terminal/spinner.ts'
import { endEdit, inputPrompt } from './attachments.ts'
import { chatCompleter } from './completer.ts'
import { greet } from './stored-answer.ts'
import { handleLine, printedBy, type LineResult } from './handle-line.ts'
import { noteMentions } from './mentions.ts'
import { type ChatLine, lineParser } from './slash-commands/chat-line.ts'
import { numberedTurns } from './slash-commands/messages.ts'
import type { ChatSetup, ChatState } from './state.ts'
import { Status } from './status.ts'
import { UsageTotals } from '../answer/usage-totals.ts'

const SIGINT = 2

/**
 * Resolves when the user exits, with the last conversation.
 * @throws UsageError for a missing base URL or key, before anything is shown; the reason of `io.signal`.
 */
export async function runChat(setup: ChatSetup): Promise<Session> {
  const { context, session } = setup
  const { io, notices } = context
  const ended = new AbortController()
  let stopping = new AbortController()
  /** The kind of the line being handled, if any. */
  let handled: ChatLine['kind'] | undefined
  // The client's later handler is called first.
  const ignoreUncaught = io.onUncaught((error) => {
    void notices.fail(error)
    if (handled !== undefined) {
      stopping.abort(error)
      line.cancelQuestion()
    }
    return true
  })
  await context.client.connected()
  notices.voice = { ...notices.voice, isChat: true }
  // No command may wait for the end of what the line editor reads.
  io.in.reader ??= 'the chat'
  const path = historyPath(io)
  const history = await History.open(session.isSaved && isOnlyOwn(path, io) ? path : undefined)
  const style = await context.loadStyle(io.out)
  const chat: ChatState = {
    ...setup,
    given: { model: setup.model, system: setup.system, ...setup.fields },
    style,
    lastModel: session.conversation.lastModel,
    announcedModel: undefined,
    usageTotals: new UsageTotals(),
    attachments: [],
    offeredFiles: new Set(),
    textMentions: new Set(),
    drafts: new Map(),
    replaceablePath: undefined,
    get signal() {
      return stopping.signal
    },
    // In full above the line: on a narrow terminal, a long prompt is left out.
    askKey: (question, keys) => {
      const prompt = io.isAccessible?.() ? safe`answer: ` : safe`[${sanitizeName([...keys].join('/'))}] `
      return line.readKey(question, { prompt, keys }, stopping.signal)
    },
    edit: (text) => line.edit(text),
    showMessage: (text, isNew) => line.showSent(inputPrompt(chat), text, isNew),
    onAnswer: (meter) => {
      handled = 'message'
      status.answering(meter)
    },
  }
  const parse = lineParser(io)
  const stopAnswer = (): void => stopping.abort(new InterruptedError(SIGINT))
  const status = new Status(chat, (parts) => line.setStatus(parts))
  const line = new InputLine({
    io,
    style,
    history,
    complete: chatCompleter(chat, parse, ended.signal),
    asksBackground: style.hasColor && style.theme === 'auto' && !io.env.COLORFGBG,
    reportsFocus: context.settings.get('notify')?.value !== 'off',
    stopAnswer,
    runAtOnce: (text) => {
      const entered = parse(text)
      // Plain text is not moved below the row of an answer.
      const isLater = handled !== 'message' || io.isPlain?.()
      if (isLater || entered.kind !== 'command' || !entered.command.runsAtOnce) return false
      void printedBy(entered, chat).then((printed) => line.showRun(inputPrompt(chat), text, printed))
      return true
    },
    recalled: () => numberedTurns(chat).at(-1) && `/edit ${numberedTurns(chat).length}`,
    above: (text) => {
      const time = timeAfterPause(io.now(), chat.session.conversation.lastActivity ?? NaN)
      return time === '' || parse(text).kind !== 'message' ? noText : safe`${style.dim(sanitizeName(time))}\n`
    },
    onChange: (editor) => {
      noteMentions(editor, chat)
      if (editor.text.trim() !== '' && parse(editor.text).kind === 'message') context.client.preconnect()
    },
  })
  /** Starts a tool of the command line, or goes on without it. @throws UsageError */
  const startTool = async (name: string, start: (signal: AbortSignal) => Promise<unknown>): Promise<void> => {
    const { signal } = (stopping = new AbortController())
    const text = safe`starting ${sanitizeName(name)} · esc goes on without it`
    const starting = withSpinner(text, context, () => start(AbortSignal.any([io.signal, signal])))
    await starting.catch(async (error: unknown) => {
      if (io.signal.aborted || error instanceof UsageError) throw error
      const { message, hint } = explain(error)
      const reason = typeof hint === 'string' ? `${message} (${hint})` : message
      const text = `${signal.aborted ? `${name} was not waited for` : reason}; /tools ${name} tries again`
      chat.tools.failed.set(name, text)
      await notices.warn(text)
    })
  }
  try {
    const { tools } = chat
    if (tools.options.tool ?? tools.options.allow) {
      line.show()
      tools.offered = await (await import('../tools/open-tools.ts')).openTools(tools.options, context, startTool)
    }
    await greet(chat)
    let last: LineResult = undefined
    for (;;) {
      const { text: initial, edited } = last?.kind === 'prefill' ? last : { text: '' }
      // Created before the read: Ctrl-C may arrive together with the Enter.
      stopping = new AbortController()
      status.idle()
      const reply = await line.read({
        prompt: inputPrompt(chat),
        initial,
        editedBy: edited && `/edit ${edited.number}`,
        returnsQueued: last?.kind === 'failed',
      })
      status.hide()
      last = undefined
      if (reply.kind === 'text') {
        const entered = parse(reply.text)
        handled = entered.kind
        last = await handleLine(entered, chat, edited)
        handled = undefined
      } else if (reply.kind === 'exit' || !edited) return chat.session
      else await endEdit(edited, chat)
      if (last?.kind === 'exit') return chat.session
      await io.out.write(safe`\n`)
    }
  } finally {
    ended.abort()
    status.close()
    line.close()
    await history.settled()
    ignoreUncaught()
  }
}
