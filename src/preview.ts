/** --dry-run and --curl: a request printed instead of sent. */

import type { Operation } from './api/operations.ts'
import { MissingKeyError } from './errors.ts'
import type { JsonObject } from './io/json.ts'
import { type Io, writeText } from './io/io.ts'
import { sanitizeJson } from './io/safe-text.ts'
import type { Secrets } from './io/secrets.ts'
import type { Notices } from './notices.ts'
import { withTarget } from './io/output.ts'

export interface PreviewOptions {
  readonly dryRun?: boolean
  readonly curl?: boolean
}

/** Whether the request is printed instead of sent. */
export function isPreview({ dryRun, curl }: PreviewOptions): boolean {
  return Boolean(dryRun) || Boolean(curl)
}

interface PreviewDeps {
  readonly io: Io
  readonly notices: Notices
  readonly secrets: Secrets
  readonly settings: { learnKey(): Promise<void> }
}

/** Learns the key, so that it is masked in a request that is printed. Without it, the request is printed all the same. */
export async function learnKeyToMask({ settings, notices }: Pick<PreviewDeps, 'settings' | 'notices'>): Promise<void> {
  try {
    await settings.learnKey()
  } catch (error) {
    if (!(error instanceof MissingKeyError)) throw error
    await notices.warn(`the API key would not be masked in this request: ${error.message}`)
  }
}

/**
 * Prints the body, or with `curl` a curl command, to where the answer would go.
 * @param body `undefined` for an operation without a body: then the curl command is printed.
 * @param baseUrl Without a trailing slash; `undefined` when none is set.
 */
export async function printRequest(
  operation: Operation,
  body: JsonObject | undefined,
  baseUrl: string | undefined,
  options: PreviewOptions & { readonly output?: string },
  { io, notices, secrets, settings }: PreviewDeps,
): Promise<void> {
  await learnKeyToMask({ settings, notices })
  const isCurl = options.curl || !body
  await withTarget(options.output, io, async (target) => {
    const { likelyUrls } = await import('./api/likely-urls.ts')
    const url = baseUrl === undefined ? undefined : likelyUrls(operation, baseUrl, io)[0]
    if (options.dryRun) await notices.info(`${operation.method} ${url ?? `$SYN_BASE_URL${operation.path}`}`)
    const text = isCurl ? curlCommand(operation, body, url) : bodyText(body)
    await writeText(target, secrets.mask(text), sanitizeJson)
  })
  const unset = isCurl ? unsetVariables(baseUrl, io) : []
  if (unset.length > 0) await notices.info(`set ${unset.join(' and ')} to run this command`)
}

/** The variables of the curl command that have no value yet: a stored key is not printed. */
function unsetVariables(baseUrl: string | undefined, { env }: Io): string[] {
  const variables = [...(baseUrl === undefined ? ['SYN_BASE_URL'] : []), 'SYN_API_KEY']
  return variables.filter((name) => !env[name]?.trim())
}

/** The body, in the format that `--body` reads. */
function bodyText(body: JsonObject): string {
  return `${JSON.stringify(body, undefined, 2)}\n`
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
