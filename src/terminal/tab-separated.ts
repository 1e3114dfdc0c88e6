/** Rows for other programs: one per line, tab-separated. Tabs and line breaks inside a value become spaces. */
export function tabSeparated(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map((value) => value.replace(/[\t\r\n]/g, ' ')).join('\t')}\n`).join('')
}
