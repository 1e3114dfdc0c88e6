/** The first line of a run in the journal, and of the identity of its results: what these depend on. */

import { isObject, type Json } from '../../io/json/json.ts'
import type { Digest } from '../input/source.ts'

export interface Manifest {
  /** The version of syn. */
  readonly syn: string
  /** When the run started, in ISO 8601. */
  readonly started: string
  readonly base_url: string
  readonly api: string
  /** Hashes of the fields of all requests, by name. Without the token limits: with higher ones, rows are asked again. */
  readonly fields: Readonly<Record<string, string>>
  /** Hashes; `null` without one. */
  readonly template: string | null
  readonly schema: string | null
  /** The model of the run, and which one it stood for. */
  readonly model: { readonly requested: string; readonly stands_for: string } | null
  readonly output: { readonly format: string; readonly keep: readonly string[] }
  /** Whether answers that are empty or cut off are results. */
  readonly allows_cut?: boolean | undefined
  /** The file that --restart replaces: whatever it is. */
  readonly replaces?: Digest | undefined
  /** How many requests are sent at once before the first record says it. */
  readonly jobs: number
  /** Those of a table that the template names: a row in which all are empty has no result. */
  readonly columns?: readonly string[] | undefined
  readonly input: { readonly path: string; readonly size: number; readonly hash: string; readonly rows: number }
}

/** The version of the journal's format. */
const journalVersion = 2

export function encodeManifest({ syn, ...others }: Manifest): string {
  return `${JSON.stringify({ syn, journal: journalVersion, ...others })}\n`
}

/** @returns `undefined` for anything else. */
export function decodeManifest(json: Json | undefined): Manifest | undefined {
  if (!isObject(json) || json.journal !== journalVersion) return undefined
  const { journal: _version, ...manifest } = json
  return [json.syn, json.started, json.base_url, json.api].every((text) => typeof text === 'string') &&
    isObject(json.fields) &&
    isObject(json.output) &&
    typeof json.output.format === 'string' &&
    Array.isArray(json.output.keep) &&
    isObject(json.input) &&
    typeof json.jobs === 'number' &&
    typeof json.input.rows === 'number'
    ? (manifest as unknown as Manifest)
    : undefined
}

/** What requests depend on that differs from a former run, in the words of messages: `the template`, `temperature`. */
export function changedParts(former: Manifest, now: Manifest): string[] {
  const fields = new Set([...Object.keys(former.fields), ...Object.keys(now.fields)])
  return [
    // With it more is a result, without it less.
    ...(former.allows_cut && !now.allows_cut ? ['--allow-cut'] : []),
    ...changedNames([
      ['the API', former.api, now.api],
      ['the template', former.template, now.template],
      ['the schema', former.schema, now.schema],
      ['the model', former.model?.requested, now.model?.requested],
      ...[...fields].map((name) => [name, former.fields[name], now.fields[name]] as const),
    ]),
  ]
}

/** What the rows of the output depend on besides their requests, likewise. */
export function changedOutput({ output: former }: Manifest, { output: now }: Manifest): string[] {
  return changedNames([
    ['the output format', former.format, now.format],
    ['--keep', former.keep.join(','), now.keep.join(',')],
  ])
}

/** All that identifies a finished run, likewise. */
export function changedIdentity(former: Manifest, now: Manifest): string[] {
  const base = changedNames([['the base URL', former.base_url, now.base_url]])
  return [...base, ...changedParts(former, now), ...changedOutput(former, now)]
}

function changedNames(values: readonly (readonly [name: string, former: unknown, now: unknown])[]): string[] {
  return values.flatMap(([name, former, now]) => (former === now ? [] : [name]))
}
