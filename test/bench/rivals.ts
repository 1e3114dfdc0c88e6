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

/** Chats with the official SDK, and with llm, if it is installed. @param prefix Of their ids. */
export function rivals(prefix: string, { model, answer }: Question, setting: Setting): Entrant[] {
  const { node, baseUrl, key } = setting
  const problem = prints(answer)
  // The rivals take long, and are not compared with a bound.
  const rounds = Math.min(setting.rounds, 3)
  const openai: Entrant = {
    id: `${prefix}-openai`,
    label: 'openai, chat',
    command: [node, programFile('openai.mjs'), baseUrl, key, model],
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
  if (!setting.wants(llm.id) || !spawnSync('llm', ['--version'], { stdio: 'ignore' }).error) return [openai, llm]
  setting.report('llm: skipped, because it cannot be run')
  return [openai]
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
