/** A home directory with profiles, model lists and files for completion. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeCache } from '../../src/io/files/cache.ts'
import { homeWith } from '../settings/stored.ts'

const [first, second] = ['https://one.example', 'https://two.example']

/** IDs with which a service might attack the user's shell. */
const hostileIds = [
  'hf:a b',
  'hf:$(touch F)',
  'hf:`touch F`',
  "hf:'quoted'",
  'hf:a;touch F',
  'hf:a\ntouch F',
  'hf:\u001b[31mred',
  'hf:~/x*',
  '-hf:flag',
  'plain',
]

export async function completionHome(): Promise<string> {
  const home = homeWith({
    profiles: { default: { 'base-url': first }, work: { 'base-url': second }, 'odd $(touch F)': {} },
  })
  const io = { env: { HOME: home }, platform: process.platform, now: Date.now, user: undefined }
  const ids = ['hf:zai-org/GLM-4.7', 'hf:moonshotai/Kimi-K2:free', 'hf:nomic-ai/nomic-embed-text', ...hostileIds]
  await writeCache('models', first, { data: ids.map((id) => ({ id })) }, io)
  await writeCache('models', second, { data: [{ id: 'hf:openai/gpt-oss' }] }, io)
  mkdirSync(join(home, 'folder'))
  const prompts = join(home, '.config', 'syn', 'prompts')
  mkdirSync(prompts)
  for (const name of ['review', '$(touch F)', '`touch F`', 'a b', '-']) writeFileSync(join(prompts, `${name}.md`), '')
  for (const file of ['notes.txt', 'my notes.txt', 'folder/inner.json', '$(touch F).json'])
    writeFileSync(join(home, file), '')
  return home
}
