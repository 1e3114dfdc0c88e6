/** Compressed replies, which some services send without being asked. */

import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { testKey } from '../helpers/canary.ts'
import { runSyn } from '../helpers/run-syn.ts'
import { chatAnswer, startService, type Answer } from '../helpers/service.ts'
import { watchSyn } from '../helpers/watched-run.ts'

const answer = chatAnswer(['Hel', 'lo'])

function encoded(encoding: string, body: Uint8Array, contentType = 'text/event-stream', status = 200): Answer {
  return (_asked, response) => {
    response.writeHead(status, { 'content-type': contentType, 'content-encoding': encoding })
    response.end(body)
  }
}

test.each([
  ['x-gzip', gzipSync(answer)],
  [' , ,', Buffer.from(answer)],
  ['Identity,  GZip', gzipSync(answer)],
  ['br,gzip , identity', gzipSync(brotliCompressSync(answer))],
])('%j is decoded', async (encoding, body) => {
  await using service = await startService(encoded(encoding, body))
  expect(await runSyn(['chat', 'hi'], { env: service.env })).toEqual({ code: 0, out: 'Hello\n', err: '' })
})

test.each([
  ['gzip', createGzip],
  ['br', createBrotliCompress],
])('%s: every part is shown when it arrives', async (encoding, create) => {
  const [role = '', hel = '', ...rest] = answer.split(/(?<=\n\n)/)
  let sendRest = (): void => undefined
  await using service = await startService((_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': encoding })
    const compressor = create()
    compressor.pipe(response)
    compressor.write(role + hel)
    compressor.flush()
    sendRest = () => void compressor.end(rest.join(''))
  })
  const run = watchSyn(['chat', 'hi'], service.env)
  await run.written('Hel')
  sendRest()
  expect(await run.outcome).toEqual({ code: 0, out: 'Hello\n', err: '' })
})

test('what arrived before the connection broke is kept, also if it is encoded twice', async () => {
  const words = Array.from({ length: 1000 }, (_, at) => `word ${at} ${'x'.repeat(300)} `)
  await using service = await startService((_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip, br' })
    const compressor = createGzip()
    const last = compressor.pipe(createBrotliCompress())
    const chunks: Buffer[] = []
    last.on('data', (chunk: Buffer) => chunks.push(chunk))
    const text = chatAnswer(words)
    compressor.write(text.slice(0, text.lastIndexOf('data: {')))
    compressor.flush(() => {
      last.flush(() => void response.write(Buffer.concat(chunks), () => response.destroy()))
    })
  })
  const { code, out } = await runSyn(['chat', 'hi'], { env: service.env })
  expect({ code, length: out.length }).toEqual({ code: 7, length: words.join('').length })
})

test('what was decoded before an error is kept, however slowly it is read', async () => {
  // Nothing compresses them, so that the part before the damage is many pieces of the decoder's output.
  const digest = (at: number): string => createHash('shake256', { outputLength: 150 }).update(String(at)).digest('hex')
  const words = Array.from({ length: 700 }, (_, at) => digest(at))
  // The highest quality takes a second, and makes it no better.
  const bytes = brotliCompressSync(chatAnswer(words), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
  const damaged = Buffer.concat([
    bytes.subarray(0, bytes.length / 2),
    Buffer.alloc(100, 0xff),
    bytes.subarray(bytes.length / 2),
  ])
  await using service = await startService(encoded('br', damaged))
  const read = async (isSlow: boolean): Promise<number> => {
    const onWrite = async (): Promise<void> => {
      if (isSlow) for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    }
    const { code, out } = await watchSyn(['chat', 'hi'], service.env, { onWrite }).outcome
    expect(code).toBe(7)
    return out.length
  }
  expect(await read(true)).toBe(await read(false))
})

const long = chatAnswer(Array.from({ length: 400 }, (_, at) => `word${at * 7919} `))

test.each([
  ['gzip', gzipSync(long)],
  ['br', brotliCompressSync(long)],
])('%s that is truncated is reported, and the text before is printed', async (encoding, body) => {
  await using service = await startService(encoded(encoding, body.subarray(0, body.length / 2)))
  const { code, out, err } = await runSyn(['chat', 'hi'], { env: service.env })
  expect(code).toBe(7)
  expect(out).toMatch(/^word0 word7919 word15838 /)
  expect(err).toBe(`syn: the answer was cut short: ${service.baseUrl}: the reply was truncated\n`)
})

test.each([
  ['gzip', 'the reply could not be decompressed'],
  ['gzip, br', 'the reply could not be decompressed'],
  [Array(6).fill('gzip').join(), 'the service sent an unsupported content encoding: gzip, gzip, '],
])('invalid %s is reported', async (encoding, message) => {
  await using service = await startService(encoded(encoding, Buffer.from(answer)))
  const { code, out, err } = await runSyn(['chat', 'hi'], { env: service.env })
  expect({ code, out, requests: service.asked.length }).toEqual({ code: 6, out: '', requests: 1 })
  expect(err).toContain(message)
})

test('an API key as the encoding is masked', async () => {
  await using echo = await startService(encoded(`x-${testKey}`, Buffer.from(answer)))
  const { err } = await runSyn(['chat', 'hi'], { env: echo.env })
  expect(err).toBe('syn: the service sent an unsupported content encoding: x-[key]\n')
})
