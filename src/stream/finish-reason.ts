/** What the finish reasons of services mean: those of the specification, and of others that write them in their own way. */

export type FinishKind =
  /** The answer is whole, as far as the reason tells. */
  | 'done'
  /** It reached a limit of tokens, or the end of the context window. */
  | 'limit'
  | 'window'
  | 'filtered'
  | 'refusal'
  | 'paused'
  /** The service could not complete it. */
  | 'failed'

/** In lower case. */
const kinds: Readonly<Record<string, FinishKind>> = {
  length: 'limit',
  max_tokens: 'limit',
  // Of Mistral.
  model_length: 'limit',
  model_context_window_exceeded: 'window',
  content_filter: 'filtered',
  // Of Zhipu, and of Gemini.
  sensitive: 'filtered',
  safety: 'filtered',
  recitation: 'filtered',
  prohibited_content: 'filtered',
  refusal: 'refusal',
  pause_turn: 'paused',
  // Of vLLM, OpenRouter, Zhipu and DeepSeek, and what others may call it.
  abort: 'failed',
  aborted: 'failed',
  error: 'failed',
  failed: 'failed',
  canceled: 'failed',
  timeout: 'failed',
  incomplete: 'failed',
  network_error: 'failed',
  insufficient_system_resource: 'failed',
}

/** Any other reason, such as `stop`, `end_turn`, `eos` and `tool_calls`, is that of a whole answer. */
export function finishKind(reason: string): FinishKind {
  const name = reason.toLowerCase().replace(/^cancell/, 'cancel')
  return Object.hasOwn(kinds, name) ? (kinds[name] as FinishKind) : 'done'
}
