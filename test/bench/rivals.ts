/** The programs that syn is compared with, beside the floor: see `programs/`. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Entrant, Setting } from './figures.ts'
import { prints } from './measure.ts'
import type { StreamOperation } from './replies.ts'

export interface Question {
  readonly operation: StreamOperation
  readonly model: string
  /** The text of the answer. */
  readonly answer: string
}

export function programFile(name: string): string {
  return fileURLToPath(new URL(`programs/${name}`, import.meta.url))
}

/** @param id Of the entrant. */
export function floor(id: string, { operation, model, answer }: Question, setting: Setting): Entrant {
  const { node, baseUrl, key } = setting
  const command = [node, programFile('floor.mjs'), operation, baseUrl, key, model] as const
  return { id, label: `floor (node:http), ${operation}`, command, problem: prints(answer) }
}

/** @param prefix Of their ids. */
export function rivals(prefix: string, { operation, model, answer }: Question, setting: Setting): Entrant[] {
  const { node, baseUrl, key } = setting
  const problem = prints(answer)
  // They take long, and are not compared with a bound.
  const rounds = Math.min(setting.rounds, 3)
  const sdk = operation === 'messages' ? 'anthropic' : 'openai'
  const sdkArguments = [...(sdk === 'openai' ? [operation] : []), baseUrl, key, model]
  const official: Entrant = {
    id: `${prefix}-${sdk}`,
    label: `${sdk === 'openai' ? 'openai' : '@anthropic-ai/sdk'}, ${operation}`,
    command: [node, programFile(`${sdk}.mjs`), ...sdkArguments],
    problem,
    rounds,
  }
  if (operation !== 'chat') return [official]
  const undici = [node, programFile('undici.mjs'), baseUrl, key, model] as const
  const curl: Entrant = {
    id: `${prefix}-curl`,
    label: 'curl | jq, chat',
    command: ['bash', '-o', 'pipefail', '-c', curlAndJq, 'bash', `${baseUrl}/openai/v1/chat/completions`, key, model],
    problem,
    rounds,
  }
  const llm: Entrant = {
    id: `${prefix}-llm`,
    label: 'llm, chat',
    command: ['llm', '-m', model, '--no-log', 'hi'],
    env: llmSettings(model, setting),
    problem,
    rounds,
  }
  return [
    { id: `${prefix}-undici`, label: 'undici, chat', command: undici, problem, rounds },
    official,
    ...ifRunnable(curl, ['curl', 'jq'], setting),
    ...ifRunnable(llm, ['llm'], setting),
  ]
}

/** `pip install llm` brings it. */
function llmSettings(model: string, { folder, baseUrl }: Setting): Record<string, string> {
  const path = join(folder, 'llm')
  mkdirSync(path, { recursive: true })
  const entry = { model_id: model, model_name: model, api_base: `${baseUrl}/openai/v1` }
  // Its file is YAML, of which JSON is a part.
  writeFileSync(join(path, 'extra-openai-models.yaml'), JSON.stringify([entry]))
  return { LLM_USER_PATH: path }
}

const curlAndJq = `
curl -sSN "$1" -H "Authorization: Bearer $2" -H 'Content-Type: application/json' \
  -d "{\\"model\\": \\"$3\\", \\"stream\\": true, \\"messages\\": [{\\"role\\": \\"user\\", \\"content\\": \\"hi\\"}]}" |
jq -Rrj 'select(startswith("data: {"))[6:] | fromjson | .choices[0].delta.content // empty'
`

function ifRunnable(entrant: Entrant, tools: readonly string[], setting: Setting): Entrant[] {
  if (!setting.wants(entrant.id)) return [entrant]
  const missing = tools.filter((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).error !== undefined)
  if (missing.length === 0) return [entrant]
  setting.report(`${entrant.label}: skipped, because ${missing.join(' and ')} cannot be run`)
  return []
}
