import { expect, test } from 'vitest'
import { imageSize } from '../../src/sandbox/images.ts'

const headers: [format: string, hex: string][] = [
  ['png', '89504e470d0a1a0a 0000000d49484452 00000280 000001e0'],
  ['gif', '474946383961 8002 e001'],
  ['jpeg', 'ffd8 ffe0 0004 0000 ffc4 0003 00 ffc0 0011 08 01e0 0280 03'],
]

test.each(headers)('%s', (_format, hex) => {
  expect(imageSize(Buffer.from(hex.replaceAll(' ', ''), 'hex'))).toEqual({ width: 640, height: 480 })
})

test.each(headers)('%s, truncated', (_format, hex) => {
  const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex')
  expect(imageSize(bytes.subarray(0, 9))).toBeUndefined()
})

test('not an image', () => {
  expect(imageSize(Buffer.from('hello'))).toBeUndefined()
})
