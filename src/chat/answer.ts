/** Asks with what was typed in the chat. */

import { ask } from '../answer/ask.ts'
import { usageSummary, type Meter } from '../answer/meter.ts'
import type { Json } from '../io/json.ts'
import { sanitizeName } from '../io/sanitize.ts'
import { chooseModel } from '../models/choose.ts'
import { modelName } from '../models/rotation.ts'
import type { NewTurn } from '../conversation/session.ts'
import { type ChatOptions, type ChatState, note } from './state.ts'

/** The model that would be asked now; no text where `--param` put something else there. */
export function currentModel(chat: ChatState, messages: readonly Json[] = []): Promise<Json> {
  const { operation, toFields } = chat.family
  return chooseModel(operation, { ...named(chat.model), ...toFields(messages) }, chat.context, chat.lastModel)
}

/** How the model is called that would be asked now. */
export async function currentModelName(chat: ChatState): Promise<string> {
  return modelName(await currentModel(chat))
}

/**
 * @param once The model, for this time.
 * @throws what `ask` throws.
 */
export async function answer(said: NewTurn, chat: ChatState, options: ChatOptions, once?: string): Promise<void> {
  const { context, session, family, signal } = chat
  const messages = family.toFields(session.messagesWith(said))
  const question = {
    operation: family.operation,
    request: { ...named(once ?? chat.model), ...messages, stream: true, ...chat.fields },
    lastModel: chat.lastModel,
    fallback: options.fallback,
    signal,
    record: (model: Json) => session.record(said, model),
    ...(options.check && { check: options.check }),
  }
  const presentation = {
    raw: chat.isRaw,
    reasoning: chat.showsReasoning,
    summarizesReasoning: true,
    title: (index: number) => `Answer ${index + 1}`,
    nameOf: (field: string) => `/set ${field}`,
    advise: (alias: string) => `/model ${alias} stays current`,
    onModel: (model: Json) => (once === undefined ? reportModelChange(modelName(model), chat) : Promise.resolve()),
    onFallback: (alias: string) => void (chat.model = alias),
    reportUsage: (meter: Meter) => reportUsage(meter, chat, options),
  }
  await ask(question, presentation, context).finally(() => {
    if (once === undefined) chat.lastModel = session.lastModel
  })
}

function named(model: string | undefined): { model?: string } {
  return model === undefined ? {} : { model }
}

/** Pictures, for one, are seen by another alias. */
async function reportModelChange(model: string, chat: ChatState): Promise<void> {
  if (model === chat.toldModel) return
  chat.toldModel = model
  if (!chat.context.notices.isQuiet) await note(chat, `the model is ${sanitizeName(model)} from here on`)
}

/** The quiet line below an answer; with --usage all that is known. */
async function reportUsage(meter: Meter, chat: ChatState, options: ChatOptions): Promise<void> {
  const { catalog, notices } = chat.context
  if (meter.usage) chat.usageTotals.add(meter.modelNames, meter.usage)
  if (options.usage) return note(chat, await usageSummary(meter, catalog))
  const text = meter.brief()
  if (!notices.isQuiet && text !== '') await note(chat, text)
}
