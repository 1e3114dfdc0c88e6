/** What a web search finds: only the address of a result is certain, any other key may be missing. */

import { isObject, objectsIn, type Json, type JsonObject } from '../../io/json.ts'

export interface WebSearchResult {
  readonly url: string
  readonly title: string | undefined
  /** As the service writes it, mostly ISO 8601. */
  readonly published: string | undefined
  /** What the page says of it; empty where nothing is quoted. */
  readonly snippet: string
}

/** @param reply Of the endpoint. A row without an address is passed over, and never hides the others. */
export function decodeResults(reply: Json): WebSearchResult[] {
  return objectsIn(resultRows(reply)).flatMap(decodeResult)
}

/** The rows of a reply, of whatever shape each is; nothing where the reply has none. */
export function resultRows(reply: Json): Json[] | undefined {
  const rows = isObject(reply) ? reply.results : reply
  return Array.isArray(rows) ? rows : undefined
}

function decodeResult({ url, title, published, text, highlights }: JsonObject): WebSearchResult[] {
  const address = filled(url)
  if (address === undefined) return []
  return [
    {
      url: address,
      title: filled(title),
      published: filled(published),
      snippet:
        filled(text) ?? (Array.isArray(highlights) ? highlights : []).flatMap((one) => filled(one) ?? []).join(' … '),
    },
  ]
}

function filled(value: Json | undefined): string | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}
