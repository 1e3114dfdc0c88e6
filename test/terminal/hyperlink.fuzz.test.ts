/** Hyperlinks: which terminals get them, and which URLs they may hold. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasHyperlinks, hyperlink } from '../../src/terminal/hyperlink.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { samples } from '../helpers/samples.ts'

test.each<[env: Record<string, string>, expected: boolean]>([
  [{}, false],
  [{ TERM: 'xterm-256color' }, false],
  [{ TERM: 'xterm-kitty' }, true],
  [{ TERM: 'xterm-kitty', CI: 'true' }, false],
  [{ TERM_PROGRAM: 'vscode', TERM_PROGRAM_VERSION: '1.96.0' }, true],
  [{ TERM_PROGRAM: 'Apple_Terminal', TERM_PROGRAM_VERSION: '455' }, false],
  [{ TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.4', TERM: 'tmux-256color' }, false],
  [{ VTE_VERSION: '7600' }, true],
  [{ WT_SESSION: 'x' }, true],
  [{ FORCE_HYPERLINK: '0', TERM: 'xterm-kitty' }, false],
])('%j: %s', (env, expected) => {
  expect(hasHyperlinks({ env, platform: 'linux' }, true)).toBe(expected)
})

test('without color there are none, unless FORCE_HYPERLINK is set; nor in the Windows console', () => {
  expect(hasHyperlinks({ env: { TERM: 'xterm-kitty' }, platform: 'linux' }, false)).toBe(false)
  expect(hasHyperlinks({ env: { FORCE_HYPERLINK: '1' }, platform: 'linux' }, false)).toBe(true)
  expect(hasHyperlinks({ env: { TERM_PROGRAM: 'ghostty' }, platform: 'win32' }, true)).toBe(false)
  expect(hasHyperlinks({ env: { WT_SESSION: 'x' }, platform: 'win32' }, true)).toBe(true)
})

describe('the URL', () => {
  test.each([
    ['https://a.b/c', 'https://a.b/c'],
    ['HTTP://A.b', 'http://a.b/'],
    ['https://a.b/ü?q=ß#日', 'https://a.b/%C3%BC?q=%C3%9F#%E6%97%A5'],
    ['https://a.b/\u001b\\evil', 'https://a.b/%1B/evil'],
  ])('%j', (url, address) => {
    expect(hyperlink('text', url)).toBe(`\u001b]8;;${address}\u001b\\text\u001b]8;;\u001b\\`)
  })

  test.each(['javascript:alert(1)', 'java\nscript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'a.b'])(
    '%j is not linked',
    (url) => {
      expect(hyperlink('text', url)).toBe('text')
    },
  )

  test('holds only visible ASCII', () => {
    const url = fc.tuple(fc.constantFrom('https://a', 'http://', 'HTTPS:'), fc.string({ unit: anyCharacter }))
    fc.assert(
      fc.property(url, ([scheme, rest]) => {
        const address = hyperlink('', scheme + rest)
        expect(address).toMatch(/^(\u001b\]8;;https?:\/\/[!-~]+\u001b\\\u001b\]8;;\u001b\\)?$/)
      }),
      samples(50),
    )
  })
})
