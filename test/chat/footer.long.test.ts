/** What typing below an answer costs: bytes for the terminal, and CPU time. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chat } from '../helpers/families.ts'
import { openChat, type InteractiveChat } from '../helpers/interactive-chat.ts'
import { chapters, cut } from '../helpers/long-text.ts'
import { emptyFolder } from '../helpers/run-syn.ts'

/** Small: the tests look at the last lines only, often. */
const scrollback = 30

const reportTime =
  'process.on("exit",()=>{const{userCPUTime:u,systemCPUTime:s}=process.resourceUsage();' +
  'process.getBuiltinModule("fs").writeFileSync(process.env.CPU_FILE,String(u+s))})'

interface Cost {
  readonly bytes: number
  /** In microseconds. */
  readonly time: number
}

/** @param answer Sends the answer, and resolves when it is complete. */
async function costOf(
  answer: (paced: ReturnType<typeof chat.paced>, opened: InteractiveChat) => Promise<void>,
): Promise<Cost> {
  const paced = chat.paced()
  const file = join(emptyFolder(), 'cpu')
  const env = { CPU_FILE: file, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(reportTime)}` }
  let bytes = 0
  {
    await using opened = await openChat([paced.answer, chat.streamed('')], { scrollback, env })
    const { screen } = opened
    screen.type('one\r')
    await paced.asked
    const before = screen.written().length
    await answer(paced, opened)
    await screen.until((lines) => lines.at(-1)?.startsWith('›') === true)
    bytes = Buffer.byteLength(screen.written().slice(before))
    // A process that is ended by a signal, as when its terminal closes, does not report its time.
    screen.type('\u0015\u0004')
    await screen.ended
  }
  return { bytes, time: Number(readFileSync(file, 'utf8')) }
}

/** Types ten keys a second until the work is done. */
async function typing({ screen }: InteractiveChat, work: Promise<void>): Promise<void> {
  let typed = 0
  const timer = setInterval(() => screen.type(typed++ % 8 === 7 ? '\u007f' : 'x'), 100)
  await work.finally(() => clearInterval(timer))
  expect(typed).toBeGreaterThan(0)
}

test('typing during 200 KB in 50,000 deltas', async () => {
  const pieces = cut(chapters(200_000), 50_000)
  const flood = async (paced: ReturnType<typeof chat.paced>): Promise<void> => {
    for (let at = 0; at < pieces.length; at += 500) await paced.pour(...pieces.slice(at, at + 500))
    await paced.finish()
  }
  const without = await costOf(flood)
  const typed = await costOf((paced, opened) => typing(opened, flood(paced)))
  expect(typed.bytes / without.bytes).toBeLessThanOrEqual(1.5)
  expect(typed.time / without.time).toBeLessThanOrEqual(2)
})

test('typing at 60 deltas a second', async () => {
  const text =
    'These are words of an answer that comes as fast as a good model writes, in lines of a paragraph. '.repeat(20)
  const pieces = cut(text, 400)
  const { bytes } = await costOf((paced, opened) =>
    typing(
      opened,
      new Promise((resolve) => {
        let sent = 0
        const timer = setInterval(() => {
          const piece = pieces[sent++]
          if (piece !== undefined) return void paced.send(piece)
          clearInterval(timer)
          resolve(paced.finish())
        }, 1000 / 60)
      }),
    ),
  )
  expect(bytes / text.length).toBeLessThanOrEqual(6)
})
