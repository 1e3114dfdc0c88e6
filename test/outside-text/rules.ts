/** The rules for text from outside, tried with each source. */

import { describe, expect, test } from 'vitest'
import { leakIn, testKey } from '../helpers/canary.ts'
import { harmfulIn } from '../helpers/hostile.ts'
import { Flow, runFeed, type Source } from './source.ts'

/** What stands for control characters on a terminal, in a text, in JSON, in an error and in a URL. */
const visible = /\ufffd|␛|\\u001b|\\u009b|\\x1b|%C2%9B/

export function tryRules(sources: readonly Source[]): void {
  const reported = sources.filter(({ use }) => use !== 'passed')
  test.each(reported.map((one) => [one.what, one] as const))('%s: the API key in it is masked', async (_what, one) => {
    const text = `a ${testKey} b`
    expect(leakIn(await one.output(text, false))).toBeUndefined()
    const shown = await one.output(text, true)
    expect(leakIn(shown)).toBeUndefined()
    expect(shown.includes('[key]'), shown).toBe(one.use === 'reported')
  })

  describe.each(sources.map((one) => [one.what, one] as const))('%s', (_what, source) => {
    const { output, use, beyond } = source

    test('on a terminal it has no control characters', async () => {
      const shown = await output(`a${source.hostile}b`, true)
      expect(harmfulIn(shown, true)).toEqual([])
      expect(visible.test(shown), shown).toBe(use !== 'hidden')
    })

    if (typeof beyond === 'string') return
    test('it is not read beyond the limit', async () => {
      for (const { feed, says, most = Infinity } of beyond) {
        const flow = new Flow()
        expect((await runFeed(feed(flow))).err).toContain(says)
        expect(flow.taken).toBeLessThan(most)
      }
    })
  })
}
