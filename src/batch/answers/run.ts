/** The line that starts a run in the store. */

import { isObject, type JsonObject } from '../../io/json/json.ts'

/** Of all requests of a run, by their names in messages, such as `the template` and `temperature`: hashes. */
export type Settings = Readonly<Record<string, string>>

export interface Run {
  /** The version of syn. */
  readonly syn: string
  /** In ISO 8601. */
  readonly started: string
  readonly settings: Settings
  readonly base_url: string
  /** The model of the run, and which one it stood for. */
  readonly model: { readonly requested: string; readonly stands_for: string }
  /** The input. */
  readonly input: string
  /** Invalid ones included. */
  readonly rows: number
  /** Rows that had an answer before. */
  readonly answered: number
  /** Rows that are not sent, as they are invalid, or their answers are not whole. */
  readonly failed: number
  /** How many requests are sent at once before the first record says it. */
  readonly jobs: number
  /** The number of damaged lines that were named before. */
  readonly damaged: number
  /** With `--restart`: so many bytes before it are of the same store, whose answers with these settings no longer count. */
  readonly restart?: number | undefined
}

/** The version of the format. */
const storeVersion = 1

export function encodeRun(run: Run): object {
  return { run: { store: storeVersion, ...run } }
}

/** @returns `undefined` for another line, and for a run of another version of the format. */
export function decodeRun({ run }: JsonObject): Run | undefined {
  return isObject(run) && run.store === storeVersion ? (run as unknown as Run) : undefined
}

/** The names of settings that differ. */
export function changedSettings(former: Settings, now: Settings): string[] {
  const names = new Set([...Object.keys(now), ...Object.keys(former)])
  return [...names].filter((name) => former[name] !== now[name])
}
