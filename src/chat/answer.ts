/** Asks, and shows the answer as it arrives. */

import { costOf } from '../api/price.ts'
import { quote, type Json, type JsonObject } from '../io/json.ts'
import { harmlessName } from '../io/harmless.ts'
import { chooseModel } from '../models/choose.ts'
import { streamCurrent } from '../models/rotation.ts'
import { print, quieting } from '../answer/show.ts'
import { choosePrinter } from '../answer/choose-printer.ts'
import { Meter } from '../answer/meter.ts'
import { Outcome } from '../answer/outcome.ts'
import { inTurn } from '../answer/printer.ts'
import { loadStyle } from '../terminal/style.ts'
import { startWaiting } from '../terminal/waiting.ts'
import type { NewTurn } from '../conversation/session.ts'
import type { Asking } from './asking.ts'
import { note, type ChatState } from './state.ts'
import { ThinkingLine } from './thinking.ts'

/** The model that would be asked now; no text where `--param` put something else there. */
export function currentModel(chat: ChatState, messages: readonly Json[] = []): Promise<Json> {
  const { operation, write } = chat.family
  const named = chat.model === undefined ? {} : { model: chat.model }
  return chooseModel(operation, { ...named, ...write(messages) }, chat.context, chat.lastModel)
}

/** How the model is called that would be asked now. */
export async function modelName(chat: ChatState): Promise<string> {
  return nameOf(await currentModel(chat))
}

function nameOf(model: Json): string {
  return typeof model === 'string' ? model : quote(model)
}

/**
 * @param named The model, for this time.
 * @throws what the stream throws, after what had arrived is shown and kept.
 */
export async function answer(said: NewTurn, chat: ChatState, asking: Asking, named?: string): Promise<void> {
  const { context, session, signal, family } = chat
  const messages = session.messagesWith(said)
  const model = named ?? (await currentModel(chat, messages))
  if (named === undefined) await tellChange(nameOf(model), chat)
  const body: JsonObject = { model, ...family.write(messages), stream: true, ...chat.fields }
  const surroundings = {
    ...context,
    fallback: asking.fallback,
    advice: (alias: string) => `/model ${alias} stays current`,
    onFallback: (alias: string) => void (chat.model = alias),
  }
  const deltas = streamCurrent(family.operation, body, { withChunks: false, signal }, surroundings)
  const kept = session.keep(deltas, said, model, () => context.client.prepare())
  const meter = new Meter(context.io.now)
  const outcome = new Outcome(title, (field) => `/set ${field}`)
  await show(kept, body, chat, [meter, outcome]).finally(() => {
    if (named === undefined) chat.lastModel = session.lastModel
  })
  await outcome.tell(context.notices)
  await tellUsage(meter, model, chat, asking)
  for (const text of outcome.texts()) asking.check?.(text)
}

/** Pictures, for one, are seen by another alias. */
async function tellChange(model: string, chat: ChatState): Promise<void> {
  if (model === chat.toldModel) return
  chat.toldModel = model
  if (!chat.context.options.quiet) await note(chat, `the model is ${harmlessName(model)} from here on`)
}

function title(index: number): string {
  return `Answer ${index + 1}`
}

async function show(
  deltas: Parameters<typeof print>[0],
  body: JsonObject,
  { context, family: { operation }, showsReasoning, isRaw }: ChatState,
  observers: Parameters<typeof print>[2],
): Promise<void> {
  const { io, settings, secrets, notices, options } = context
  const color = settings.get('color')?.value
  const view = { quiet: options.quiet ?? false, color, theme: settings.get('theme')?.value }
  const spinner = await startWaiting({ ...view, text: 'waiting for the answer' }, { io, notices })
  const [out, err] = [quieting(io.out, spinner), quieting(io.err, spinner)]
  const asked = {
    count: operation.choiceCount(body),
    title,
    hasLogprobs: (body.logprobs ?? false) !== false,
    fold: operation.fold,
    mask: (text: string) => secrets.mask(text),
  }
  const printer = await choosePrinter(asked, { ...view, raw: isRaw, reasoning: showsReasoning }, io, out, err)
  const thinking = new ThinkingLine(err, spinner, await loadStyle(io, io.err, color), io.now)
  const isSummarised = !showsReasoning && !view.quiet
  const both = isSummarised ? inTurn(thinking, printer) : printer
  await print(deltas, both, observers, spinner).finally(() => spinner?.stop())
}

/** The quiet line below an answer; with --usage all that is known. */
async function tellUsage(meter: Meter, model: Json, chat: ChatState, asking: Asking): Promise<void> {
  const { catalogue, options } = chat.context
  const names = [typeof model === 'string' ? model : undefined, meter.model]
  if (meter.usage) chat.tally.add(names, meter.usage)
  if (asking.usage) {
    return note(chat, meter.summary(meter.usage && costOf(await catalogue.modelsAside(), names, meter.usage)))
  }
  const text = meter.brief()
  if (!options.quiet && text !== '') await note(chat, text)
}
