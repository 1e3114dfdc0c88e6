/** Reads Parquet with a library of its own. */

import { parquetMetadata, parquetReadObjects } from 'hyparquet'

/** The rows, with the index as a number. */
export async function parquetRows(bytes: Buffer): Promise<Record<string, unknown>[]> {
  const rows = await parquetReadObjects({ file: Uint8Array.from(bytes).buffer })
  return rows.map((row) => ({ ...row, index: Number(row.index) }))
}

/** The number of rows in each row group. */
export function rowGroups(bytes: Buffer): number[] {
  return parquetMetadata(Uint8Array.from(bytes)).row_groups.map((group) => Number(group.num_rows))
}
