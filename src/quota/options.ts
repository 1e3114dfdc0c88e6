/** The options of `syn quota`. */

import { UsageError } from '../errors.ts'
import type { Fields, Values } from '../fields/field.ts'
import type { GlobalValues } from '../fields/global-options.ts'
import { invalidValue } from '../fields/problem.ts'
import { requestOptions } from '../fields/request-options.ts'
import { quote } from '../io/json.ts'

export const quotaOptions = {
  json: { ...requestOptions.json, exclusive: ['get', 'remaining', 'curl'] },
  block: {
    kind: 'text',
    placeholder: 'NAME',
    help: 'Show only this block, such as search.hourly; --remaining, --fail-below, and --wait use only it (default: subscription for --remaining, all that limit requests to models for the others). An unknown name is an error',
  },
  get: {
    kind: 'text',
    placeholder: 'PATH',
    exclusive: ['remaining', 'curl'],
    help: 'Print one value, such as subscription.requests',
  },
  remaining: {
    kind: 'switch',
    exclusive: ['curl'],
    everyday: true,
    help: 'Print the remaining quota as a number',
  },
  failBelow: {
    kind: 'text',
    placeholder: 'N|N%',
    exclusive: ['wait', 'curl'],
    everyday: true,
    help: 'Exit with status 8 if less is left of any limit; N counts requests (-q: print no table)',
  },
  wait: {
    kind: 'switch',
    exclusive: ['watch', 'curl'],
    everyday: true,
    help: 'Wait until some quota is left (-q: print no table)',
  },
  strict: {
    kind: 'switch',
    help: 'With --fail-below or --wait: exit with status 8 if the remaining quota is unknown',
  },
  watch: {
    kind: 'switch or number',
    minimum: 1,
    placeholder: 'SECONDS',
    default: 30,
    exclusive: ['curl'],
    everyday: true,
    help: 'Refresh every SECONDS, until Ctrl-C',
  },
  curl: requestOptions.curl,
  output: { ...requestOptions.output, help: 'Write to a file instead of stdout; --watch replaces it each time' },
} as const satisfies Fields

export type QuotaOptions = Values<typeof quotaOptions> & GlobalValues

/** Whether the exit status reports the quota. */
export function isGuard({ failBelow, wait }: QuotaOptions): boolean {
  return failBelow !== undefined || Boolean(wait)
}

/** Whether the exit status is the only output. */
export function isSilent(options: QuotaOptions): boolean {
  const { quiet, json, get, remaining, output } = options
  return isGuard(options) && Boolean(quiet) && !json && !remaining && get === undefined && output === undefined
}

/** @throws UsageError for an invalid path, and for --block and --strict where they have no effect. */
export function checkOptions(options: QuotaOptions): void {
  checkPath('--get', options.get)
  checkPath('--block', options.block)
  if (options.strict && !isGuard(options)) throw new UsageError('--strict needs --fail-below or --wait')
  const usesBlock = !options.json && !options.curl && options.get === undefined
  if (options.block === undefined || usesBlock || isGuard(options)) return
  throw new UsageError('--block cannot be combined with --json, --get or --curl', {
    hint: `use syn quota --get ${options.block} for one block as JSON`,
  })
}

function checkPath(flag: string, path: string | undefined): void {
  if (path === undefined || path.split('.').every((key) => key.trim() !== '')) return
  throw invalidValue(flag, { path: [], found: quote(path), expected: 'keys separated by dots, such as search.hourly' })
}
