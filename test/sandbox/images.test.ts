import { expect, test } from 'vitest'
import { imageSize } from '../../src/sandbox/images.ts'

const headers: [format: string, hex: string][] = [
  ['png', '89504e470d0a1a0a 0000000d49484452 00000280 000001e0'],
  ['gif', '474946383961 8002 e001'],
  ['webp, extended', '52494646 00000000 57454250 56503858 0a000000 00000000 7f0200 df0100'],
  ['webp, lossless', '52494646 00000000 57454250 5650384c 00000000 2f 7fc27700'],
  ['webp, lossy', '52494646 00000000 57454250 56503820 00000000 000000 9d012a 8002 e001'],
  ['jpeg', 'ffd8 ffe0 0004 0000 ffc4 0003 00 ffc0 0011 08 01e0 0280 03'],
  ['tiff, little-endian', '49492a00 08000000 0200 0001 0300 01000000 80020000 0101 0400 01000000 e0010000'],
  ['tiff, big-endian', '4d4d002a 00000008 0002 0100 0003 00000001 02800000 0101 0004 00000001 000001e0'],
]

test.each(headers)('%s', (_format, hex) => {
  expect(imageSize(Buffer.from(hex.replaceAll(' ', ''), 'hex'))).toEqual({ width: 640, height: 480 })
})

test.each(headers)('%s, cut short', (_format, hex) => {
  const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex')
  expect(imageSize(bytes.subarray(0, 9))).toBeUndefined()
})

test('no image', () => {
  expect(imageSize(Buffer.from('hello'))).toBeUndefined()
})
