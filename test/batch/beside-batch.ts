/** Chats beside a batch, at a service that takes one request at a time. */

import { expect } from 'vitest'
import { BatchProgram, prompts } from '../helpers/batch-program.ts'
import { startFewSlots, slotFiles } from '../helpers/few-slots.ts'
import { startSyn } from '../helpers/program.ts'

/** Each chat is answered after at most one row, as the service sees it, and the batch loses none. */
export async function chatsBesideBatch(count: number): Promise<void> {
  await using service = await startFewSlots(1, 20)
  const rows = 40 * count
  const batch = new BatchProgram(service, prompts(rows))
  const home = batch.env.HOME ?? ''
  let rowsBefore = 0
  service.onTaken = (prompt) => {
    if (prompt.startsWith('prompt') && slotFiles(home, 'one-').length > 0) rowsBefore++
  }
  const running = batch.startFile()
  await expect.poll(() => service.taken.length).toBeGreaterThan(2)
  for (let chat = 1; chat <= count; chat++) {
    rowsBefore = 0
    const { code, out, err } = await startSyn(['chat', '--retries', '0', `chat ${chat}`], batch.env).ended
    expect({ code, out, err }).toEqual({ code: 0, out: `re: chat ${chat}\n`, err: '' })
    expect(rowsBefore).toBeLessThanOrEqual(1)
  }
  expect(service.taken.length).toBeLessThan(rows)
  service.latency = 0
  expect(await running.ended).toMatchObject({ code: 0 })
  expect(batch.rows()).toHaveLength(rows)
  expect(new Set(batch.rows().map(({ text }) => text)).size).toBe(rows)
  // It learns that there is one, and hardly ever tries a second.
  expect(service.refused.length).toBeLessThanOrEqual(3)
  for (const kind of ['slot-', 'one-', 'row-', 'count'] as const) expect(slotFiles(home, kind)).toEqual([])
}
