/** Home folders with a config file. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { emptyFolder } from '../helpers/run-syn.ts'

export const storedKey = 'sk-stored-fedcba9876543210'

export function configPath(home: string): string {
  return join(home, '.config', 'syn', 'config.json')
}

/** @param config The file's text, or a value to write as JSON. */
export function homeWith(config: string | object): string {
  const path = configPath(emptyFolder())
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, typeof config === 'string' ? config : JSON.stringify(config), { mode: 0o600 })
  return join(dirname(path), '..', '..')
}

/** A home folder whose default profile has these settings. */
export function homeWithProfile(settings: object): string {
  return homeWith({ profiles: { default: settings } })
}

export function configText(home: string): string {
  return readFileSync(configPath(home), 'utf8')
}

export function storedIn(home: string): { profile?: string; profiles: Record<string, Record<string, unknown>> } {
  return JSON.parse(configText(home)) as ReturnType<typeof storedIn>
}
