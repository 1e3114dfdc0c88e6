/** The keys whose effect depends on whether an answer runs: the table of the man page, at the terminal. */

import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { quoted } from '../helpers/program.ts'
import { emptyFolder } from '../helpers/run-syn.ts'
import { answering } from '../helpers/terminals.ts'

const up = '\u001b[A'
const ctrl = { c: '\u0003', d: '\u0004', g: '\u0007', l: '\u000c', r: '\u0012' }
/** Escape in the kitty protocol: unlike two ESC bytes, two of these are never read as one key. */
const escape = '\u001b[27u'

/** An editor that shows that it runs, waits for Enter, and adds a word. */
function editor(): { EDITOR: string } {
  const path = join(emptyFolder(), 'editor')
  writeFileSync(path, '#!/bin/sh\necho editing\nread -r _\nprintf " edited" >> "$1"\n')
  chmodSync(path, 0o700)
  return { EDITOR: quoted(path) }
}

// The tests wait more than they work.
describe.concurrent('the keys', () => {
  test('Ctrl-C clears the draft, stops the answer, asks, and exits', async () => {
    await using chatting = await answering()
    const { opened, type } = chatting
    await type('draft', '» draft')
    await type(ctrl.c, '»')
    expect(opened.screen.lines().join('\n')).not.toContain('stopped')
    await type(up, '» draft')
    await type(`${ctrl.c}${ctrl.c}`, '›')
    await opened.screen.until((lines) => lines.includes('stopped; the partial answer is kept'))
    await type(up, '› draft')
    await type(`${ctrl.c}${ctrl.c}`, '›', 'press Ctrl-C again to exit')
    opened.screen.type(ctrl.c)
    expect(await opened.screen.ended).toBe(0)
  })

  test('Esc stops the answer, and leaves the draft; twice more, later, clears it', async ({ expect }) => {
    await using chatting = await answering()
    const { opened, type } = chatting
    await type('draft', '» draft')
    // The second and the third may still be meant for the answer.
    await type(escape.repeat(3), '› draft')
    await opened.screen.until((lines) => lines.includes('stopped; the partial answer is kept'))
    await expect
      .poll(
        () => {
          opened.screen.type(escape)
          return opened.screen.lines().at(-1)
        },
        // Two that are late would edit the last message.
        { interval: 700, timeout: 20_000 },
      )
      .toBe('›')
    await type(up, '› draft')
  })

  test('Esc closes the list, or a search, before it stops the answer', async () => {
    await using chatting = await answering()
    const { opened, type, paced } = chatting
    await type('/ra\t', '» /raw', '  on', '  off')
    await type('\u0015/rena', '» /rena', '  /rename  Rename the conversation.')
    await type(escape, '» /rena')
    await type(`\u0015${ctrl.r}on`, '» one', 'search: on')
    await type(escape, '» one')
    await paced.send('second ')
    await opened.screen.until((lines) => lines.includes('First second'))
    await type(escape, '› one')
  })

  test('Ctrl-D deletes in a draft, does nothing while an answer runs, and then exits', async () => {
    await using chatting = await answering()
    const { opened, type, paced } = chatting
    await type(`draft\u001b[D${ctrl.d}`, '» draf')
    await type(`\u0015${ctrl.d}`, '»')
    await paced.finish('second')
    await opened.screen.until((lines) => lines.includes('First second') && lines.some((line) => line === '›'))
    opened.screen.type(ctrl.d)
    expect(await opened.screen.ended).toBe(0)
  })

  test('Ctrl-L pushes the screen into the scrollback, with the answer so far', async () => {
    await using chatting = await answering()
    const { opened, type, paced } = chatting
    const { screen } = opened
    await type('draft', '» draft')
    await paced.send('\n\nsecond ')
    await screen.until((lines) => lines.includes('second'))
    const before = screen.lines().filter((line) => !/^(esc stops|» )/.test(line))
    screen.type(ctrl.l)
    // Only the row that is still written to is drawn on the new screen.
    await screen.until(() => screen.cells().baseY > 0 && screen.lines().at(-1) === '» draft')
    await paced.finish('part')
    await screen.until((lines) => lines.includes('second part') && lines.at(-1) === '› draft')
    expect(screen.lines().slice(0, before.length - 2)).toEqual(before.slice(0, -2))
    expect(screen.lines().filter((line) => line === 'First')).toHaveLength(1)
    expect(screen.lines().filter((line) => line.startsWith('second'))).toHaveLength(1)
    // After the answer too.
    const all = screen.lines().filter((line) => line !== '' && !/^(syn:\S+ · \d|› draft)/.test(line))
    const { baseY } = screen.cells()
    screen.type(ctrl.l)
    await screen.until(() => screen.cells().baseY > baseY && screen.lines().at(-1) === '› draft')
    expect(screen.lines().filter((line) => line !== '' && !/^(syn:\S+ · \d|› draft)/.test(line))).toEqual(all)
    await type('!', '› draft!')
  })

  test('Ctrl-G opens the editor at once, and the answer appears after it', async () => {
    await using chatting = await answering([], editor())
    const { opened, type, paced } = chatting
    const { screen } = opened
    await type('draft', '» draft')
    screen.type(ctrl.g)
    await screen.until((lines) => lines.at(-1) === 'editing')
    await paced.send('second ')
    screen.type('\r')
    await type('', '» draft edited')
    await paced.finish('third')
    await screen.until((lines) => lines.includes('First second third') && lines.at(-1) === '› draft edited')
    const lines = screen.lines()
    expect(lines.indexOf('First second third')).toBeGreaterThan(lines.indexOf('editing'))
    // Its row is not cut in two.
    expect(lines.filter((line) => line.includes('First'))).toHaveLength(1)
  })
})
