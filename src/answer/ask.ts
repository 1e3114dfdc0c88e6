/** The last step of every command whose answer is generated: to show the request, or to send it and show the answer. */

import type { StreamingOperation } from '../api/operation.ts'
import type { CommandContext } from '../context.ts'
import type { Fields } from '../fields/field.ts'
import type { Json, JsonObject } from '../io/json.ts'
import type { requestOptions, textOptions } from '../fields/request-options.ts'
import { chooseModel } from '../models/choose.ts'
import { streamCurrent } from '../models/rotation.ts'
import { showAnswer, type AnswerSource } from './show.ts'
import { isPreview, showRequest } from '../preview.ts'
import type { Delta } from '../stream/delta.ts'

/** What only the command knows of its answer. */
export interface Expected extends Pick<AnswerSource, 'title' | 'check' | 'isPlainText'> {
  /** The model that answered last in the conversation, where there is one. */
  readonly lastModel?: string | undefined
  /** Passes the answer on, and keeps it. */
  keep?(deltas: AsyncIterable<Delta[]>, model: Json): AsyncIterable<Delta[]>
}

/**
 * @param request The body, which may still lack its model.
 * @throws what `showAnswer` throws.
 */
export async function ask(
  operation: StreamingOperation,
  request: JsonObject,
  expected: Expected,
  context: CommandContext<Fields, typeof textOptions & typeof requestOptions>,
): Promise<void> {
  const { options, settings, secrets } = context
  const { lastModel, keep, ...shown } = expected
  const { model: _given, ...others } = request
  const model = await chooseModel(operation, request, context, lastModel)
  const body: JsonObject = { model, ...others }
  if (isPreview(options)) return showRequest(operation, body, settings.shownBaseUrl, options, context)
  const fallback = options.fallback ?? settings.get('fallback')?.value ?? false
  await showAnswer(
    {
      ...shown,
      stream: (streamOptions) => {
        const deltas = streamCurrent(operation, body, streamOptions, { ...context, fallback })
        return keep?.(deltas, model) ?? deltas
      },
      fold: operation.fold,
      mask: (text) => secrets.mask(text),
      count: operation.choiceCount(body),
      hasLogprobs: (body.logprobs ?? false) !== false,
      model,
    },
    // With --raw, where the command has it.
    { ...options, color: settings.get('color')?.value, theme: settings.get('theme')?.value },
    context,
  )
}
