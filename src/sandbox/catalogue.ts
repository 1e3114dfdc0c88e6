/** The models the sandbox pretends to run. Context lengths are those of section 8, in its order; the rest is made up. */

import { Refusal } from './refusal.ts'

export interface Model {
  readonly name: string
  /** What answers call the model: an internal name, not the requested one (section 2.1). */
  readonly servedAs: string
  readonly kind: 'text' | 'embedding'
  /** In tokens. */
  readonly contextLength: number
  readonly longestOutput: number
  readonly hasVision: boolean
  readonly hasReasoning: boolean
  /** Dollars for one token, read and written. The real list writes some with a dollar sign and some without. */
  readonly prices?: { readonly prompt: string; readonly completion: string }
  readonly quantization: string
  /** Unix time in seconds. */
  readonly created: number
}

const k = 1024

type Traits = Partial<Pick<Model, 'hasVision' | 'hasReasoning' | 'prices' | 'longestOutput' | 'quantization'>>

function textModel(name: string, contextLength: number, created: number, traits: Traits = {}): Model {
  return {
    name: `hf:sandbox/${name}`,
    servedAs: `accounts/sandbox/models/${name.toLowerCase()}`,
    kind: 'text',
    contextLength,
    longestOutput: 64 * k,
    hasVision: false,
    hasReasoning: false,
    quantization: 'fp8',
    created,
    ...traits,
  }
}

export const textModels: readonly Model[] = [
  textModel('Aurora-2-355B', 256 * k, 1_780_272_000, {
    hasReasoning: true,
    prices: { prompt: '$0.00000055', completion: '$0.00000219' },
  }),
  textModel('Borealis-1T-Vision', 512 * k, 1_782_864_000, {
    hasVision: true,
    prices: { prompt: '$0.0000012', completion: '$0.0000045' },
  }),
  textModel('Cirrus-480B-Coder', 512 * k, 1_777_593_600, {
    prices: { prompt: '0.00000045', completion: '0.0000018' },
  }),
  textModel('Drizzle-30B-Vision', 256 * k, 1_775_001_600, {
    hasVision: true,
    longestOutput: 32 * k,
    prices: { prompt: '0.0000001', completion: '0.0000004' },
  }),
  textModel('Ember-12B', 128 * k, 1_772_323_200, {
    longestOutput: 16 * k,
    quantization: 'int4',
    prices: { prompt: '$0.00000006', completion: '$0.0000002' },
  }),
  textModel('Fjord-70B-Thinking', 192 * k, 1_769_904_000, { hasReasoning: true }),
  textModel('Glacier-900B', 512 * k, 1_784_073_600, {
    hasReasoning: true,
    hasVision: true,
    prices: { prompt: '$0.000002', completion: '$0.000008' },
  }),
]

export const embeddingModel: Model = {
  ...textModel('Harbor-Embed-1.5', 8 * k, 1_767_225_600),
  kind: 'embedding',
  longestOutput: 0,
  quantization: 'fp16',
}

/** Each alias of section 1, with the model it stands for at the moment. */
export const aliasTargets: Readonly<Record<string, string>> = {
  'syn:large:text': 'hf:sandbox/Aurora-2-355B',
  'syn:small:text': 'hf:sandbox/Ember-12B',
  'syn:large:vision': 'hf:sandbox/Borealis-1T-Vision',
  'syn:small:vision': 'hf:sandbox/Drizzle-30B-Vision',
}

/** Was on the list once: requests for it get 404 (section 7). */
export const rotatedOutModel = 'hf:sandbox/Aurora-1-180B'

/** @throws Refusal: 404 for a name that is gone or was never there, 400 for a model of another kind. */
export function findModel(name: string, kind: Model['kind']): Model {
  const target = aliasTargets[name] ?? name
  const model = [...textModels, embeddingModel].find((candidate) => candidate.name === target)
  if (!model) throw new Refusal(404, absence(name))
  if (model.kind !== kind) {
    throw new Refusal(
      400,
      `The model ${name} is ${article(model.kind)} model; this endpoint wants ${article(kind)} model.`,
    )
  }
  return model
}

/** @throws Refusal for input that doesn't fit in the model's context. */
export function checkLength(model: Model, tokens: number): void {
  if (tokens <= model.contextLength) return
  const lengths = `(${tokens} tokens) is longer than the model's context length (${model.contextLength} tokens)`
  throw new Refusal(400, `The input ${lengths}.`)
}

function absence(name: string): string {
  if (name === rotatedOutModel) {
    return `The model ${name} has been rotated out and is no longer available; an alias such as syn:large:text never is.`
  }
  return name.startsWith('syn:') ? `There is no alias ${name}.` : `The model ${name} does not exist or was rotated out.`
}

function article(kind: Model['kind']): string {
  return kind === 'embedding' ? 'an embedding' : 'a text'
}
