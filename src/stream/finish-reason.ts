/** What the finish reasons of services mean: those of the specification, and of others that write them in their own way. */

export type FinishKind =
  /** The answer is whole, as far as the reason tells. */
  | 'done'
  /** The answer reached a limit of tokens, or the end of the context window. */
  | 'limit'
  | 'window'
  | 'filtered'
  | 'refusal'
  | 'paused'
  /** The service could not complete it. */
  | 'failed'

const reasons: readonly (readonly [FinishKind, RegExp])[] = [
  // The last one is Mistral's.
  ['limit', /^(length|max_tokens|model_length)$/i],
  ['window', /^model_context_window_exceeded$/i],
  // Zhipu has the second, Gemini those after it.
  ['filtered', /^(content_filter|sensitive|safety|recitation|prohibited_content)$/i],
  ['refusal', /^refusal$/i],
  ['paused', /^pause_turn$/i],
  // Gemini leaves out the call that the model wrote.
  ['failed', /malformed_function_call|unexpected_tool_call/i],
  // vLLM, OpenRouter, Zhipu and DeepSeek have some of these, and others may have the rest.
  ['failed', /^(abort(ed)?|error|failed|cancell?ed|timeout|incomplete|network_error|insufficient_system_resource)$/i],
]

/** Any other reason, such as `stop`, `end_turn`, `eos` and `tool_calls`, is that of a whole answer. */
export function finishKind(reason: string): FinishKind {
  return reasons.find(([, pattern]) => pattern.test(reason))?.[0] ?? 'done'
}

/** The reason of an answer with a second one: some services end each with `stop`, also one that was cut off. */
export function graverReason(reason: string | undefined, next: string): string {
  return reason === undefined || finishKind(reason) === 'done' ? next : reason
}

export function announcesCalls(reason: string): boolean {
  return /^(tool_calls?|tool_use|function_call)$/i.test(reason)
}
