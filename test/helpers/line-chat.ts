/**
 * A run for testing the input line on a terminal: answers each message with the message as JSON. TEST_PLATFORM is the platform
 * that the line takes itself to be on.
 */

import { History, historyPath } from '../../src/terminal/line-editor/history.ts'
import { InputLine } from '../../src/terminal/line-editor/input-line.ts'
import { explain } from '../../src/errors.ts'
import { writeText, type Io } from '../../src/io/io.ts'
import { safe } from '../../src/io/text/safe-text.ts'
import { loadStyle } from '../../src/terminal/style.ts'

const commands = ['/edit ', '/exit ', '/model ', '/models ']

export async function lineChat(_argv: readonly string[], io: Io): Promise<number> {
  const history = await History.open(historyPath(io))
  let stop = (): void => undefined
  const line = new InputLine({
    io: { ...io, platform: (io.env.TEST_PLATFORM as NodeJS.Platform | undefined) ?? io.platform },
    style: await loadStyle(io, io.out, { color: 'auto', theme: 'auto', isForced: false }),
    history,
    complete: (text, cursor) => {
      const typed = text.slice(0, cursor)
      return {
        start: 0,
        candidates: commands.filter((command) => command.startsWith(typed)).map((text) => ({ text })),
      }
    },
    stopAnswer: () => stop(),
  })
  try {
    await converse(line, io, () => new Promise((resolve) => (stop = resolve)))
    return 0
  } catch (error) {
    return explain(error).code
  } finally {
    line.close()
    await history.settled()
  }
}

async function converse(line: InputLine, io: Io, interruption: () => Promise<void>): Promise<void> {
  let initial = ''
  for (;;) {
    const reply = await line.read({ prompt: safe`> `, initial })
    initial = ''
    if (reply.kind !== 'text') return io.out.write(safe`bye\n`)
    if (reply.text === '/edit') initial = await line.edit('')
    if (reply.text === '/crash') setImmediate(crash)
    const [, signal] = /^\/kill (\w+)$/.exec(reply.text) ?? []
    if (signal !== undefined) setImmediate(() => process.kill(process.pid, `SIG${signal}`))
    if (reply.text === '/busy') {
      await io.out.write(safe`answering\n`)
      await interruption()
    }
    await writeText(io.out, `${JSON.stringify(reply.text)}\n`)
  }
}

function crash(): never {
  throw new Error('crashed')
}
