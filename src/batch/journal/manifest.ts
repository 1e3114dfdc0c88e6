/** The first line of a run in the journal: what its requests depend on. */

import { isObject, type Json, type JsonObject } from '../../io/json.ts'

export interface Manifest {
  /** The version of syn. */
  readonly syn: string
  /** When the run started, in ISO 8601. */
  readonly started: string
  readonly base_url: string
  /** Hash of the options that requests depend on. */
  readonly options: string
  /** Hashes; `null` without one. */
  readonly template: string | null
  readonly schema: string | null
  /** The model of the run, and which one it stood for. */
  readonly model: { readonly requested: string; readonly stands_for: string } | null
  /** How many requests are sent at once before the first record says it. */
  readonly jobs: number
  readonly input: { readonly path: string; readonly size: number; readonly hash: string; readonly rows: number }
}

/** The version of the journal's format. */
const journalVersion = 2

export function encodeManifest({ syn, ...others }: Manifest): string {
  return `${JSON.stringify({ syn, journal: journalVersion, ...others })}\n`
}

/**
 * The version of syn that wrote a manifest in another format of the journal, which this one cannot read.
 * @returns `undefined` for anything else.
 */
export function otherVersion(json: Json | undefined): string | undefined {
  return isObject(json) && typeof json.syn === 'string' && json.journal !== journalVersion ? json.syn : undefined
}

/** @returns `undefined` for anything else. */
export function decodeManifest(json: Json | undefined): Manifest | undefined {
  if (!isObject(json) || json.journal !== journalVersion) return undefined
  const { journal: _version, ...manifest } = json
  return hasText(json, 'syn', 'started', 'base_url', 'options') &&
    isObject(json.input) &&
    typeof json.jobs === 'number' &&
    typeof json.input.rows === 'number'
    ? (manifest as unknown as Manifest)
    : undefined
}

function hasText(json: JsonObject, ...keys: readonly string[]): boolean {
  return keys.every((key) => typeof json[key] === 'string')
}

/** What a request depends on that differs from a former run, in the words of messages: `the template`. */
export function changedPart(former: Manifest, now: Manifest): string | undefined {
  if (former.template !== now.template) return 'the template'
  if (former.schema !== now.schema) return 'the schema'
  if (former.model?.requested !== now.model?.requested) return 'the model'
  return former.options === now.options ? undefined : 'one of the options'
}
