/** Finds in the words of a failed reply what the service does not have: the endpoint, or the model. */

import type { NotFoundCause } from '../errors.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import { isWebPage } from '../stream/service-message.ts'
import { bareName } from './models.ts'
import type { Operation } from './operations.ts'

/** A reply with a status other than 2xx. */
export interface FailedReply {
  readonly operation: Operation
  readonly url: string
  readonly status: number
  /** The model of the request. */
  readonly model: Json | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** What was sent. */
  readonly sent?: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
  /** The quota record in a header. */
  readonly quota: JsonObject | undefined
  /** Whether the service sent status 200, and an error that names this one. */
  readonly isReported?: boolean
}

/** The words for an unknown path, of many servers and gateways. OpenRouter has no "endpoints" for a model. */
const routeWords =
  /\b(route|endpoint|page|handler|procedure|static resource|tunnel|default backend|UnknownOperationException)\b|\b(requested|request|invalid|unknown|full) (URL|URI|path)\b|\b(path|method) not found\b|\bproxy for host\b|^File Not Found$|^Cannot [A-Z]+ \//i

/** Words for an unknown path that leave no doubt, with whatever status, even if the word "model" follows. */
const certainRouteWords =
  /\b(no such|unknown|unexpected|invalid) (endpoint|route|path)\b|\bno (route|handler)\b.*\b(uri|url)\b|\b(unsupported method|method not allowed)\b/i

export function isAboutEndpoint(message: string): boolean {
  return certainRouteWords.test(message)
}

/** FastAPI's whole reply. The same words in another shape may be about a model. */
const fastApiNotFound = /^\s*\{\s*"detail"\s*:\s*"Not Found"\s*\}\s*$/

/** AWS API Gateway says this, with status 403, of a path that it does not know. */
const gatewayWords = /^Missing Authentication Token$/

/** The codes of OpenAI and Azure. */
const modelCode = /"(model_not_found|DeploymentNotFound)"/
const modelParameter = /"param"\s*:\s*"model"/

/** Words for a missing model, whatever the status; not for something that a model cannot do. */
const missingModel =
  /\bmodel\b.*\b(not found|not exist|doesn't exist|decommissioned|retired|rotated|no longer (available|supported|served|hosted|offered|exists?))\b|\bmodel (identifier|name|id)\b.{0,200}\binvalid\b|\b(unknown|invalid|no such|valid|unavailable|real) model(ID)?\b(?! (parameter|input|setting|option|config))/is

/** How OpenAI and OpenRouter refuse this request to a model that exists. */
const otherwiseRefused =
  /\bnot (a|an) \w+ model\b|\bonly supported\b|\bdata policy\b|\ballowed providers\b|\bguardrail/i

/** A message that is only the title of the status, in any spelling. */
const titleWords =
  /^\W*((error|http|404|status|resource|not ?found|(the )?requested (resource|entity) (was|could) not( be)? found)\W*)*$/i

/**
 * @param message Of the reply, as shown.
 * @returns `undefined` if the reply is about something else, or may be.
 */
export function notFoundCause(
  { status, url, body, operation, model = null }: FailedReply,
  message: string,
): NotFoundCause | undefined {
  if (status === 405 || (status === 403 && gatewayWords.test(message))) return 'endpoint'
  const path = new URL(url).pathname
  // A base URL may have "model" in its path.
  const words = message.replaceAll(path, ' ').replaceAll(path.slice(1), ' ')
  const isNamed = typeof model === 'string' && bareName(model) !== '' && words.includes(bareName(model))
  if ([400, 403, 410, 422, 501].includes(status)) {
    // A 403 that names a model may be about the key.
    const isModel = (status !== 403 && missingModel.test(words)) || modelCode.test(body)
    if (operation.hasModel && isModel) return 'model'
    return isAboutEndpoint(words) || (status === 410 && routeWords.test(words)) ? 'endpoint' : undefined
  }
  if (status !== 404) return undefined
  if (!operation.hasModel || isWebPage(body) || fastApiNotFound.test(body)) return 'endpoint'
  if (!isNamed && isAboutEndpoint(words)) return 'endpoint'
  if (otherwiseRefused.test(words)) return 'not for this request'
  if (isNamed || /\bmodel\b/i.test(words) || modelCode.test(body) || modelParameter.test(body)) return 'model'
  // Some servers quote the path without its first slash, or with escaped slashes.
  const shown = body.replaceAll('\\/', '/')
  // A gateway may have removed the start of the path.
  const isPathNamed = shown.includes(path.slice(1)) || shown.includes(path.split('/').slice(-2).join('/'))
  if (isPathNamed || routeWords.test(words) || routeWords.test(body)) return 'endpoint'
  return titleWords.test(message) ? 'unspecified' : undefined
}
