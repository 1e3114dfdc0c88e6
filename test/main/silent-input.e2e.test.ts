/** Standard input that nothing arrives on, or late: the program as a process, started by other programs. */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { environment, node, program, type Running, start, synCommand } from '../helpers/program.ts'

const argv = ['chat', '--sandbox', '-q', '--dry-run', 'hi']
const waiting = 'syn: waiting for standard input; if it is not meant as input, use --no-stdin or < /dev/null\n'
const ignored = 'syn: no data on standard input for 1 s, so it is ignored; use - to wait for it, or --no-stdin\n'

/** Runs a line whose standard input is a socket, until it is ended. */
function inShell(line: string): Running {
  return start('bash', ['-c', line], environment(), ['pipe', 'pipe', 'pipe'])
}

test.concurrent('what arrives in a pipe after the warning is part of the prompt, as docker exec -i gives', async () => {
  const { child, ended } = inShell(`cat | ${synCommand} ${argv.join(' ')}`)
  child.stderr?.once('data', () => child.stdin?.end('late words'))
  const { code, out, err } = await ended
  expect({ code, err }).toEqual({ code: 0, err: waiting })
  expect(out).toContain('"hi\\n\\nlate words"')
})

test.each([
  ['some text', '"hi\\n\\nsome text"'],
  ['', '"hi"'],
])('a socket with all of its input, %j', (input, content) => {
  const { status, stdout, stderr } = spawnSync(node, [program, ...argv], {
    input,
    encoding: 'utf8',
    env: environment(),
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain(content)
})

test.concurrent('what arrives on a socket after it was ignored is left to the next program', async () => {
  const { child, ended } = inShell(`${synCommand} ${argv.join(' ')} > /dev/null; cat`)
  child.stderr?.once('data', () => child.stdin?.end('late words'))
  expect(await ended).toMatchObject({ code: 0, out: 'late words', err: ignored })
})

test.concurrent('the same socket as standard input and output, as ssh gives', async () => {
  // The path of a Unix socket has at most 107 characters, and a temporary folder may have more.
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [connection] = (await once(server, 'connection')) as [Socket]
  const child = spawn(node, [program, ...argv], { env: environment(), stdio: [connection, connection, 'pipe'] })
  connection.destroy()
  const [out, err] = await Promise.all([text(client), text(child.stderr)])
  server.close()
  expect(err).toBe(ignored)
  expect(out).toContain('"hi"')
})
