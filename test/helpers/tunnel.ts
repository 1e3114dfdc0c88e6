/** A proxy on loopback that accepts CONNECT: it records requests, and connects every tunnel to one service. */

import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Service } from './service.ts'

/** @param status Refuses every tunnel with this status. */
export async function startTunnel(service: Pick<Service, 'baseUrl'>, status?: number) {
  const heads: string[] = []
  const sockets = new Set<Socket>()
  const note = ({ method, url, rawHeaders }: IncomingMessage): void => {
    heads.push(`${method} ${url}\n${rawHeaders.join('\n')}`)
  }
  const server = createServer((request, response) => {
    note(request)
    response.writeHead(400).end()
  })
  server.on('connect', (request, socket: Socket) => {
    note(request)
    sockets.add(socket)
    if (status !== undefined) return void socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\n\r\n`)
    const target = connect(Number(new URL(service.baseUrl).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n')
      socket.pipe(target).pipe(socket)
    })
    const end = (): void => void [socket, target].map((one) => one.destroy())
    for (const one of [socket, target]) one.on('error', end).on('close', end)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    /** For HTTP_PROXY and similar variables. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The head of every request, as text. */
    heads,
    async [Symbol.asyncDispose](): Promise<void> {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
