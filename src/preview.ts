/** --dry-run and --curl: a request printed instead of sent. */

import type { Operation } from './api/operations.ts'
import { exactJson } from './io/json/exact-numbers.ts'
import type { JsonObject } from './io/json/json.ts'
import { type Io, writeText } from './io/io.ts'
import { sanitizeJson } from './io/text/safe-text.ts'
import type { Notices } from './notices.ts'
import { withTarget } from './io/files/output.ts'

/** What a preview needs of a command's context. */
interface PreviewContext {
  readonly io: Io
  readonly notices: Notices
  readonly settings: { get(name: 'base-url'): { readonly value: string } | undefined }
  readonly options: { readonly curl?: boolean; readonly output?: string }
}

/**
 * Prints a request to where the answer would go: the body, with method and URL on standard error; with `curl`, or without a
 * body, a curl command.
 */
export async function printRequest(
  operation: Operation,
  body: JsonObject | undefined,
  { options, io, notices, settings }: PreviewContext,
): Promise<void> {
  const baseUrl = settings.get('base-url')?.value
  const { likelyUrls } = await import('./api/likely-urls.ts')
  const url = baseUrl === undefined ? undefined : likelyUrls(operation, baseUrl, io)[0]
  const isCurl = options.curl || !body
  await withTarget(options.output, io, async (target) => {
    if (!isCurl) await notices.info(`${operation.method} ${url ?? `$SYN_BASE_URL${operation.path}`}`)
    await writeText(target, isCurl ? curlCommand(operation, body, url) : bodyText(body), sanitizeJson)
  })
  // A stored key is not printed.
  const variables = isCurl ? [...(baseUrl === undefined ? ['SYN_BASE_URL'] : []), 'SYN_API_KEY'] : []
  const unset = variables.filter((name) => !io.env[name]?.trim())
  if (unset.length > 0) await notices.info(`set ${unset.join(' and ')} to run this command`)
}

/** The body, in the format that `--body` reads. */
function bodyText(body: JsonObject): string {
  return `${exactJson(body, 2)}\n`
}

/** The body is a here-document: it needs no quoting, and has no limit on its length. */
function curlCommand(operation: Operation, body: JsonObject | undefined, url: string | undefined): string {
  const quoted = url === undefined ? `"$SYN_BASE_URL${operation.path}"` : `'${url.replaceAll("'", '%27')}'`
  const head = `curl -sS --no-buffer ${quoted} \\\n  -H "Authorization: Bearer $SYN_API_KEY"`
  if (!body) return `${head}\n`
  const headers = Object.entries(operation.headers ?? {}).map(([name, value]) => `  -H '${name}: ${value}' \\\n`)
  return (
    `${head} \\\n  -H 'Content-Type: application/json' \\\n${headers.join('')}` +
    `  --data-binary @- <<'JSON'\n${bodyText(body)}JSON\n`
  )
}
