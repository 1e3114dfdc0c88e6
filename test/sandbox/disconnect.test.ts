import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { SandboxEvent } from '../../src/sandbox/endpoint.ts'
import { sendEvents, startSandbox } from '../../src/sandbox/server.ts'
import { Clients } from './clients.ts'

const body = { model: 'syn:small:text', stream: true, messages: [{ role: 'user', content: 'Count to 1000' }] }

test('closing ends a stream in progress', async () => {
  const sandbox = await startSandbox({ port: 0, rate: 1 })
  const response = await new Clients(sandbox).fetch('/openai/v1/chat/completions', { body })
  const reader = response.body?.getReader()
  await reader?.read()
  await sandbox.close()
  await expect(reader?.read()).rejects.toThrow('terminated')
})

test('a rate slows the answer down', async () => {
  const sandbox = await startSandbox({ port: 0, rate: 400 })
  const start = performance.now()
  const response = await new Clients(sandbox).fetch('/openai/v1/chat/completions', {
    body: { ...body, max_tokens: 40 },
  })
  await response.text()
  expect(performance.now() - start).toBeGreaterThan(95)
  await sandbox.close()
})

test('an endless stream ends when the client disconnects', async () => {
  let made = 0
  let isOver = false
  function* endless(): Generator<SandboxEvent> {
    try {
      for (;;) yield { data: String(made++), isToken: true }
    } finally {
      isOver = true
    }
  }
  const sent: Promise<void>[] = []
  const server = createServer((_request, response) => {
    sent.push(sendEvents(response, endless(), 0).catch(() => undefined))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await response.body?.cancel()
  await Promise.all(sent)
  expect(made).toBeGreaterThan(0)
  expect(isOver).toBe(true)
  server.close()
})
