/** Sends a turn of the chat, and shows its answer. */

import { ask } from '../answer/ask.ts'
import type { ToolUser } from '../answer/tool-question.ts'
import type { Meter } from '../answer/meter.ts'
import type { Model } from '../api/models.ts'
import type { AnswerRecorder } from '../conversation/recorder.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import { safe, sanitizeName } from '../io/text/safe-text.ts'
import { chooseModel } from '../models/choose.ts'
import { modelName } from '../models/rotation.ts'
import type { Notices } from '../notices.ts'
import type { NewTurn } from '../conversation/session.ts'
import { withSpinner } from '../terminal/spinner.ts'
import { type ChatState, type Draft, printNotice } from './state.ts'

/** The models of the service; empty if they are not available. Requesting them may take two seconds. */
export async function modelList({ context }: ChatState): Promise<Model[]> {
  return withSpinner(safe`fetching the model list`, context, () => context.catalog.modelsIfAvailable())
}

/** The model of the next request; not a string if `--param` set another value. */
export function currentModel(
  chat: ChatState,
  messages: readonly Json[] = [],
  notices: Pick<Notices, 'info'> = chat.context.notices,
): Promise<Json> {
  const { dialect, context, lastModel } = chat
  const body = { ...modelField(chat.model), ...dialect.toFields(messages) }
  return chooseModel(dialect.operation, body, { ...context, notices }, lastModel)
}

/** The name of the model of the next request. */
export async function currentModelName(chat: ChatState): Promise<string> {
  return modelName(await currentModel(chat))
}

/** @param once What holds for this turn only. @throws what `ask` throws. */
export async function sendTurn(turn: NewTurn, chat: ChatState, once: Draft['once'] = {}): Promise<void> {
  const { context, session, dialect, signal } = chat
  const { model: modelOnce, check = chat.check } = once
  const request = (next: NewTurn): JsonObject => {
    const messages = dialect.toFields(session.messagesWith({ ...next, system: once.system ?? next.system }, dialect))
    return { ...modelField(modelOnce ?? chat.model), ...messages, stream: true, ...chat.fields, ...once.fields }
  }
  const shared = { lastModel: chat.lastModel, ...chat.limits, signal, ...(check && { check, repairs: chat.repairs }) }
  chat.isAtLimit = false
  using _sign = session.signOfLife()
  const meters: Meter[] = []
  const presentation = {
    raw: chat.isRaw,
    reasoning: chat.showsReasoning,
    summarizesReasoning: true,
    onModel: (model: Json) => (modelOnce === undefined ? reportModelChange(modelName(model), chat) : Promise.resolve()),
    onStart: (meter: Meter) => {
      meters.push(meter)
      chat.onAnswer(meter)
    },
    onQuotaWait: (isWaiting: boolean) => void (chat.isAtLimit = isWaiting),
    onFallback: (alias: string) => {
      if (modelOnce === undefined) chat.model = alias
    },
    reportUsage: (meter: Meter) => reportUsage(meter, chat),
  }
  try {
    const { offered } = chat.tools
    const runner = offered && (await import('../answer/tool-turns.ts'))
    if (offered) await runner?.refreshTools(offered, signal, context)
    if (runner && offered.tools.length > 0) {
      const user: ToolUser = {
        scope: 'chat',
        sink: context.io.out,
        askKey: chat.askKey,
        notify: (text) => (context.notices.isQuiet ? Promise.resolve() : printNotice(chat, text)),
      }
      const question = { ...shared, dialect, session, turn, request, offered, user }
      await runner.askWithTools(question, presentation, context)
    } else {
      const record = (model: Json): Promise<AnswerRecorder> => session.record(turn, model)
      await ask({ ...shared, operation: dialect.operation, request: request(turn), record }, presentation, context)
    }
  } finally {
    for (const { answer, modelNames } of meters) if (answer.usage) chat.usageTotals.add(modelNames, answer.usage)
    if (modelOnce === undefined) chat.lastModel = session.conversation.lastModel
  }
}

function modelField(model: string | undefined): { model?: string } {
  return model === undefined ? {} : { model }
}

/** The model changes without a command too: images switch to the vision alias. */
async function reportModelChange(model: string, chat: ChatState): Promise<void> {
  if (model === chat.announcedModel) return
  chat.announcedModel = model
  if (!chat.context.notices.isQuiet) await printNotice(chat, `switched to ${sanitizeName(model)}`)
}

/** The dim line below an answer: brief, or complete with --usage. */
async function reportUsage(meter: Meter, chat: ChatState): Promise<void> {
  const { notices } = chat.context
  if (chat.showsUsage) {
    return printNotice(chat, await meter.summary({ modelsIfAvailable: () => modelList(chat) }))
  }
  if (!notices.isQuiet) await printNotice(chat, meter.shortSummary())
}
