import { SynError } from '../errors.ts'
import type { Target } from './target.ts'

/** @returns the error, which names the file that holds the part that had arrived. */
export async function keepPart(error: unknown, target: Target): Promise<unknown> {
  const file = await target.keepPart()
  if (file === undefined || !(error instanceof SynError)) return error
  error.addHint(`what arrived is kept in ${file}`)
  return error
}
