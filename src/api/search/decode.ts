/** Decodes the results of a web search. Only `url` is certain; any other key may be missing. */

import { listIn, objectsIn, type Json, type JsonObject } from '../../io/json/json.ts'

export type WebSearchResult = Readonly<ReturnType<typeof decodeResult>[number]>

/** @param reply The endpoint's reply. Rows without a URL are skipped. */
export function decodeResults(reply: Json): WebSearchResult[] {
  return objectsIn(listIn(reply, 'results')).flatMap(decodeResult)
}

function decodeResult({ url, title, published, text, highlights }: JsonObject) {
  const address = trimmedText(url)
  if (address === undefined) return []
  return [
    {
      url: address,
      title: trimmedText(title),
      /** In the service's own words, usually ISO 8601. */
      published: trimmedText(published),
      /** An excerpt of the page; may be empty. */
      snippet:
        trimmedText(text) ??
        (Array.isArray(highlights) ? highlights : []).flatMap((highlight) => trimmedText(highlight) ?? []).join(' … '),
    },
  ]
}

function trimmedText(value: Json | undefined): string | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}
