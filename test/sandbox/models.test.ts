import { expect, test } from 'vitest'
import { useSandbox } from './clients.ts'

const clients = useSandbox()

interface Row {
  id: string
  context_length: number
  input_modalities: string[]
  hugging_face_id?: string
}

test('the rows of autumn 2026: aliases with their models, and no embedding model', async () => {
  const page = await clients().openai.models.list()
  const rows = page.data as unknown as Row[]
  const facts = rows.map((row) => [row.id, row.hugging_face_id, row.input_modalities.length, row.context_length / 1024])
  expect(facts).toEqual([
    ['syn:large:text', 'zai-org/GLM-5.3-Flash', 2, 512],
    ['syn:small:text', 'zai-org/GLM-4.7-Flash', 1, 192],
    ['syn:large:vision', 'moonshotai/Kimi-K3', 2, 512],
    ['syn:small:vision', 'Qwen/Qwen3.8-27B', 2, 256],
    ['hf:zai-org/GLM-5.3-Flash', undefined, 2, 512],
    ['hf:zai-org/GLM-4.7-Flash', undefined, 1, 192],
    ['hf:moonshotai/Kimi-K3', undefined, 2, 512],
    ['hf:Qwen/Qwen3.8-27B', undefined, 2, 256],
    ['hf:zai-org/GLM-4.7', undefined, 1, 198],
  ])
})
