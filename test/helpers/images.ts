/** Image files: the first bytes of each format, under typical names, and one complete image. */

function bytes(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

/** A complete image of one pixel. */
export const realPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export const acceptedImages: Record<string, Buffer> = {
  'photo.jpg': bytes('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01'),
  'shot.png': bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0'),
  'anim.gif': bytes('GIF89a\x01\0\x01\0\x80\0\0'),
  'old.gif': bytes('GIF87a\x01\0\x01\0\x80\0\0'),
  'pic.webp': bytes('RIFF\x1a\0\0\0WEBPVP8L'),
  'scan.tiff': bytes('II*\0\x08\0\0\0'),
  'scan.tif': bytes('MM\0*\0\0\0\x08'),
}

export const refusedImages: Record<string, Buffer> = {
  'bitmap.bmp': bytes('BM\x3a\0\0\0\0\0\0\0\x36\0\0\0'),
  'phone.heic': bytes('\0\0\0\x18ftypheic\0\0\0\0'),
  'web.avif': bytes('\0\0\0\x1cftypavif\0\0\0\0'),
  'drawing.svg': bytes('<?xml version="1.0"?>\n<!-- made by hand -->\n<svg xmlns="http://www.w3.org/2000/svg"/>'),
  'paper.pdf': bytes('%PDF-1.7\n'),
  'next.jxl': bytes('\xff\x0a\xfa\x3f'),
  'icon.ico': bytes('\0\0\x01\0\x01\0\x10\x10'),
  'art.psd': bytes('8BPS\0\x01\0\0'),
}
