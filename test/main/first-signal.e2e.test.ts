/** A first signal that a command handles: it ends what it has begun. The second one stops the run. */

import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bundled } from '../helpers/bundled.ts'
import { environment, node, start, type Running } from '../helpers/program.ts'

const program = await bundled(fileURLToPath(new URL('../helpers/ending-program.ts', import.meta.url)))

interface Started extends Running {
  /** Sends a signal again and again, as one that comes at once after another counts as the same. */
  sendUntil(signal: NodeJS.Signals, isReached: () => boolean): Promise<void>
  hasEnded(): boolean
  out(): string
}

async function begin(mode = 'ending', env: Record<string, string> = {}): Promise<Started> {
  const running = start(node, [program, mode], { ...environment(), ...env }, ['pipe', 'pipe', 'pipe'])
  await running.untilOut('ready\n')
  let out = 'ready\n'
  let hasEnded = false
  running.child.stdout?.on('data', (text: string) => (out += text))
  void running.ended.then(() => (hasEnded = true))
  const sendUntil = async (signal: NodeJS.Signals, isReached: () => boolean): Promise<void> => {
    const sendAndCheck = (): boolean => {
      running.child.kill(signal)
      return isReached()
    }
    await expect.poll(sendAndCheck).toBe(true)
  }
  return { ...running, sendUntil, hasEnded: () => hasEnded, out: () => out }
}

test('the command ends by itself, with the status of the signal', async () => {
  const { child, untilOut, ended } = await begin()
  child.kill('SIGHUP')
  await untilOut('ending\n')
  child.stdin?.write('end\n')
  expect(await ended).toEqual({ code: 129, signal: null, out: 'ready\nending\n', err: '' })
})

test('two signals at once, as from timeout or npx, are one', async () => {
  const { child, untilOut, ended } = await begin()
  // Two different ones: of two that are the same, the system may deliver one.
  child.kill('SIGTERM')
  child.kill('SIGINT')
  await untilOut('ending\n')
  child.stdin?.write('end\n')
  const { code, out } = await ended
  expect([130, 143]).toContain(code)
  expect(out).toBe('ready\nending\n')
})

test('the second signal stops the run, with its own status', async () => {
  const { child, untilOut, sendUntil, out, ended } = await begin()
  child.kill('SIGINT')
  await untilOut('ending\n')
  await sendUntil('SIGTERM', () => out().includes('stopped\n'))
  expect(await ended).toEqual({ code: 143, signal: null, out: 'ready\nending\nstopped\n', err: '' })
})

test('the third signal ends the process at once', async () => {
  const { child, untilOut, sendUntil, out, hasEnded, ended } = await begin('hanging')
  child.kill('SIGINT')
  await untilOut('ending\n')
  await sendUntil('SIGINT', () => out().includes('stopped\n'))
  await sendUntil('SIGINT', hasEnded)
  expect(await ended).toMatchObject({ code: 130, out: 'ready\nending\nstopped\n' })
})

test('a run that was started by nohup goes on without its terminal', async () => {
  const { child, untilOut, ended } = await begin('ending', { _: '/usr/bin/nohup' })
  child.kill('SIGHUP')
  child.kill('SIGTERM')
  await untilOut('ending\n')
  child.stdin?.write('end\n')
  expect(await ended).toMatchObject({ code: 143, out: 'ready\nending\n' })
})
