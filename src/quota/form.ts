/** In which form the quota is given out. */

import { quotaBlocks, type QuotaBlock } from '../api/quota.ts'
import { FailedError } from '../errors.ts'
import { type JsonObject, jsonText } from '../io/json.ts'
import { harmless } from '../io/harmless.ts'
import type { Io, Sink } from '../io/io.ts'
import { quotaLines } from './lines.ts'
import type { Style } from '../terminal/style.ts'
import { chooseBlock, nothingKnown, nothingTold } from './choose-block.ts'
import { isSilent, type QuotaOptions } from './options.ts'
import { valueAt } from './value-at.ts'

/**
 * A reading as text. It is empty where nothing is to be printed.
 * @throws FailedError when the record lacks what was asked for.
 */
export type Form = (record: JsonObject, columns: number) => string

/** @param sink Where it is given out, and in which style. */
export async function loadForm(options: QuotaOptions, sink: Sink, style: Style, { now }: Io): Promise<Form> {
  const { json, get: path, remaining, block } = options
  if (isSilent(options)) return () => ''
  if (json) return (record) => jsonText(record, sink)
  if (path !== undefined) return (record) => valueText(record, path, sink)
  if (remaining) return (record) => `${remainingOf(record, block)}\n`
  if (!sink.isTerminal) return (record) => quotaLines(chosenBlocks(record, block))
  const [{ quotaTable }, { wrapTo }] = await Promise.all([import('./table.ts'), import('../terminal/width.ts')])
  return (record, columns) => {
    const blocks = chosenBlocks(record, block)
    const isEmpty = blocks.length === 0
    const lines = isEmpty
      ? wrapTo(nothingTold(record, block), columns)
      : quotaTable(blocks, { columns, now: now(), style })
    return `${lines.join('\n')}\n`
  }
}

function chosenBlocks(record: JsonObject, name: string | undefined): QuotaBlock[] {
  if (name === undefined) return quotaBlocks(record)
  const block = chooseBlock(record, name)
  return block ? [block] : []
}

function valueText(record: JsonObject, path: string, sink: Sink): string {
  const value = valueAt(record, path)
  if (typeof value !== 'string') return jsonText(value, sink)
  return `${sink.isTerminal ? harmless(value) : value}\n`
}

function remainingOf(record: JsonObject, name: string | undefined): number {
  const { remaining } = chooseBlock(record, name) ?? {}
  if (remaining === undefined) throw new FailedError(nothingKnown(record, name))
  return remaining
}
