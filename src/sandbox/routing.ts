/** From the name in a request to the model that serves it. */

import { aliasTargets, embeddingModel, rotatedOutModel, textModels, type Model } from './catalogue.ts'
import { Refusal } from './refusal.ts'

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
