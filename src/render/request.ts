/** A request shown instead of sent. */

import type { Operation } from '../api/operation.ts'
import type { JsonObject } from '../fields/json.ts'

/** The body, fit to be given back with `--body`. */
export function bodyText(body: JsonObject): string {
  return `${JSON.stringify(body, undefined, 2)}\n`
}

/** @param baseUrl Without a trailing slash; the variable that names it when none is set. */
export function requestLine(operation: Operation, baseUrl: string | undefined): string {
  return `${operation.method} ${baseUrl ?? '$SYN_BASE_URL'}${operation.path}`
}

/** The same as a curl command. The body is a here-document: no quoting, and no limit on an argument's length. */
export function curlCommand(operation: Operation, body: JsonObject, baseUrl: string | undefined): string {
  const url =
    baseUrl === undefined ? `"$SYN_BASE_URL${operation.path}"` : `'${baseUrl.replaceAll("'", '%27')}${operation.path}'`
  const headers = Object.entries(operation.headers ?? {}).map(([name, value]) => `  -H '${name}: ${value}' \\\n`)
  return (
    `curl -sS --no-buffer ${url} \\\n` +
    `  -H "Authorization: Bearer $SYN_API_KEY" \\\n` +
    `  -H 'Content-Type: application/json' \\\n${headers.join('')}` +
    `  --data-binary @- <<'JSON'\n${bodyText(body)}JSON\n`
  )
}
