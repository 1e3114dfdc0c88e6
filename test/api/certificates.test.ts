/** SSL_CERT_FILE, as curl reads it. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { expect, test } from 'vitest'
import { emptyFolder, runSyn } from '../helpers/run-syn.ts'
import { certificate, startWatchedServer } from '../helpers/watched-server.ts'

const folder = emptyFolder()
const [other, text] = [join(folder, 'other.pem'), join(folder, 'text.pem')]
writeFileSync(other, rootCertificates[0] ?? '')
writeFileSync(text, 'no certificate')

test.each<[what: string, env: Record<string, string>, code: number, error?: RegExp]>([
  ['its certificates are trusted', { SSL_CERT_FILE: certificate }, 0],
  ['those of NODE_EXTRA_CA_CERTS, too', { SSL_CERT_FILE: other, NODE_EXTRA_CA_CERTS: certificate }, 0],
  ['no others', { SSL_CERT_FILE: other, NODE_EXTRA_CA_CERTS: '' }, 6, /TLS certificate rejected/],
  [
    'a file that is not there',
    { SSL_CERT_FILE: `${folder}/none` },
    2,
    /^syn: SSL_CERT_FILE: cannot read .*: no such file\n$/,
  ],
  ['a directory', { SSL_CERT_FILE: folder }, 2, /^syn: SSL_CERT_FILE: cannot read .*: is a directory\n$/],
  ['a device', { SSL_CERT_FILE: '/dev/zero' }, 2, /^syn: SSL_CERT_FILE: cannot read .*: not a regular file\n$/],
  ['a file without any', { SSL_CERT_FILE: text }, 2, /^syn: SSL_CERT_FILE: .* has no certificate in PEM format\n$/],
])('%s', async (_what, env, code, error = /^$/) => {
  await using server = await startWatchedServer()
  const outcome = await runSyn(['chat', '--retries', '0', 'hello'], { env: { ...server.env, ...env } })
  expect(outcome).toMatchObject({ code, err: expect.stringMatching(error) })
})

test('for http it is not read', async () => {
  await using server = await startWatchedServer({ isSecure: false })
  const outcome = await runSyn(['chat', 'hello'], { env: { ...server.env, SSL_CERT_FILE: `${folder}/none` } })
  expect(outcome).toMatchObject({ code: 0, err: '' })
})
