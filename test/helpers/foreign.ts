/** Plays back the recorded replies of a foreign server (test/fixtures/foreign/), route by route. */

import { readFileSync } from 'node:fs'
import { type Answer, json, type Service, startService } from './service.ts'

interface Recording {
  /** `POST /openai/v1/chat/completions` */
  readonly route: string
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** @param name Of a file, without extension, such as `llama-chat-stream`. */
export function recording(name: string): Recording {
  const text = readFileSync(new URL(`../fixtures/foreign/${name}.txt`, import.meta.url), 'utf8').replaceAll(
    '\r\n',
    '\n',
  )
  const [, route = '', rest = ''] = /^> (.+)\n(?:> .*\n)*\n([^]*)$/.exec(text) ?? []
  const headEnd = rest.indexOf('\n\n')
  const head = rest.slice(0, headEnd)
  return {
    route,
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    contentType: /^content-type: (.*)$/m.exec(head)?.[1] ?? '',
    body: rest.slice(headEnd + 2),
  }
}

export function playBack(name: string): Answer {
  const { status, contentType, body } = recording(name)
  return (_asked, response) => {
    response.writeHead(status, { 'content-type': contentType })
    response.end(body)
  }
}

/** What a FastAPI service answers on a route that it does not have. */
export const fastApiNotFound: Answer = json({ detail: 'Not Found' }, 404)

export interface ForeignOptions {
  /** Answers any other route (default: as llama.cpp). */
  readonly notFound?: Answer
  /** Routes with other answers, such as `GET /v2/quotas`. */
  readonly others?: Readonly<Record<string, Answer>>
  /** The paths of the API: as recorded, or with `/v1` in place of `/openai/v1` and `/anthropic/v1`. */
  readonly root?: 'recorded' | '/v1'
  /** Before the root, such as `/team`. */
  readonly prefix?: string
}

/** A service that answers each recorded route with its recording; of two recordings of a route, with the last one. */
export function startForeignService(names: readonly string[], options: ForeignOptions = {}): Promise<Service> {
  const { notFound = playBack('llama-404-unknown-route'), others = {}, root = 'recorded', prefix = '' } = options
  const routes = new Map(Object.entries(others))
  for (const name of names) {
    const { route } = recording(name)
    const rooted = root === '/v1' ? route.replace(/\/(openai|anthropic)\/v1/, '/v1') : route
    routes.set(rooted.replace(' ', ` ${prefix}`), playBack(name))
  }
  return startService((asked, response) => {
    const answer = routes.get(`${asked.method} ${asked.path}`) ?? notFound
    return answer(asked, response)
  })
}
