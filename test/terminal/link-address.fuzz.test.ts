/** Which addresses are links. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linkAddress } from '../../src/terminal/link-address.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { samples } from '../helpers/samples.ts'

describe('the URL', () => {
  test.each([
    ['https://a.b/c', 'https://a.b/c'],
    ['HTTP://A.b', 'http://a.b/'],
    ['https://a.b/ü?q=ß#日', 'https://a.b/%C3%BC?q=%C3%9F#%E6%97%A5'],
    ['https://a.b/\u001b\\evil', 'https://a.b/%1B/evil'],
  ])('%j', (url, address) => {
    expect(linkAddress(url)).toBe(address)
  })

  test.each(['javascript:alert(1)', 'java\nscript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'a.b'])(
    '%j is not linked',
    (url) => {
      expect(linkAddress(url)).toBeUndefined()
    },
  )

  test('holds only visible ASCII', () => {
    const url = fc.tuple(fc.constantFrom('https://a', 'http://', 'HTTPS:'), fc.string({ unit: anyCharacter }))
    fc.assert(
      fc.property(url, ([scheme, rest]) => {
        expect(linkAddress(scheme + rest) ?? 'http://a').toMatch(/^https?:\/\/[!-~]+$/)
      }),
      samples(50),
    )
  })
})
