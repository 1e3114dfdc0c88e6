/** Counts in messages. */

/** `10,000`, `3.1` */
export function grouped(count: number): string {
  return count.toLocaleString('en-US', { maximumFractionDigits: count < 10 ? 1 : 0 })
}

/** `412 of 10,000 rows are done` */
export function doneText(done: number, total: number): string {
  return `${grouped(done)} of ${countText(total, 'row')} ${done === 1 || total === 1 ? 'is' : 'are'} done`
}

/** `1 row`, `10,000 rows` */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`
}
