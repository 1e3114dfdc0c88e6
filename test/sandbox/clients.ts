/** A sandbox, and the official clients of both dialects pointed at it. */

import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll } from 'vitest'
import type { JsonObject } from '../../src/io/json/json.ts'
import { startSandbox, type SandboxOptions } from '../../src/sandbox/server.ts'

export const smallText = 'syn:small:text'
export const thinking = 'syn:large:text'
export const vision = 'syn:small:vision'
export const expensive = 'syn:large:vision'
export const embedding = 'hf:nomic-ai/nomic-embed-text-v1.5'

export interface QuotaRecord {
  subscription: { limit: number; requests: number; renewsAt: string }
  rollingFiveHourLimit: { remaining: number; max: number; limited: boolean; nextTickAt: string; tickPercent: number }
  weeklyTokenLimit: {
    percentRemaining: number
    remainingCredits: string
    maxCredits: string
    nextRegenAt: string
    nextRegenCredits: string
  }
}

export class Clients {
  readonly sandbox: Awaited<ReturnType<typeof startSandbox>>
  readonly openai: OpenAI
  readonly anthropic: Anthropic

  constructor(sandbox: Clients['sandbox'], key: string = sandbox.key) {
    this.sandbox = sandbox
    this.openai = new OpenAI({ baseURL: `${sandbox.baseUrl}/openai/v1`, apiKey: key, maxRetries: 0 })
    this.anthropic = new Anthropic({
      baseURL: `${sandbox.baseUrl}/anthropic`,
      authToken: key,
      apiKey: null,
      maxRetries: 0,
    })
  }

  /** Sends requests that the official clients would refuse. */
  fetch(
    path: string,
    init: { method?: string; body?: unknown; key?: string; signal?: AbortSignal } = {},
  ): Promise<Response> {
    const { method = init.body === undefined ? 'GET' : 'POST', body, key = this.sandbox.key } = init
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return fetch(this.sandbox.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${key}` },
      signal: init.signal ?? null,
      ...(body === undefined ? {} : { body: text }),
    })
  }

  async quota(key?: string): Promise<QuotaRecord> {
    return (await (await this.fetch('/v2/quotas', key === undefined ? {} : { key })).json()) as QuotaRecord
  }

  /** Sends a chat request to a small model, with these fields. */
  async chat(more: object, key?: string): Promise<{ status: number; json: JsonObject }> {
    const body = { model: smallText, messages: [{ role: 'user', content: 'hi' }], ...more }
    const response = await this.fetch('/openai/v1/chat/completions', { body, ...(key !== undefined && { key }) })
    return { status: response.status, json: (await response.json()) as JsonObject }
  }

  /** The text of a small model's first choice. */
  async ask(content: string, more: object = {}): Promise<string> {
    const messages = [{ role: 'user' as const, content }]
    const answer = await this.openai.chat.completions.create({ model: smallText, messages, ...more, stream: false })
    return answer.choices[0]?.message.content ?? ''
  }
}

/** One sandbox for all tests of a file. */
export function useSandbox(options: Partial<SandboxOptions> = {}): () => Clients {
  let clients: Clients | undefined
  beforeAll(async () => {
    clients = new Clients(await startSandbox({ port: 0, rate: 0, ...options }))
  })
  afterAll(() => clients?.sandbox.close())
  return () => clients as Clients
}

/** A sandbox of its own, for a test that uses up what it has. */
export async function withSandbox(
  options: Partial<SandboxOptions>,
  use: (clients: Clients) => Promise<void>,
): Promise<void> {
  const sandbox = await startSandbox({ port: 0, rate: 0, ...options })
  try {
    await use(new Clients(sandbox))
  } finally {
    await sandbox.close()
  }
}

/** All items of a stream. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of stream) items.push(item)
  return items
}
