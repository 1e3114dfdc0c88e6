import { expect, test } from 'vitest'
import { useSandbox } from './clients.ts'

const clients = useSandbox()

interface Row {
  id: string
  context_length: number
  input_modalities: string[]
  hugging_face_id?: string
}

test('the models of section 8, and the aliases of section 1', async () => {
  const page = await clients().openai.models.list()
  const rows = page.data as unknown as Row[]
  const k = rows.filter((row) => row.id.startsWith('hf:')).map((row) => row.context_length / 1024)
  expect(k).toEqual([256, 512, 512, 256, 128, 192, 512, 8])
  expect(rows.map((row) => row.id).filter((id) => id.startsWith('syn:'))).toEqual([
    'syn:large:text',
    'syn:small:text',
    'syn:large:vision',
    'syn:small:vision',
  ])
  for (const alias of rows.filter((row) => row.id.startsWith('syn:'))) {
    const target = rows.find((row) => row.id === `hf:${alias.hugging_face_id}`)
    expect(target?.context_length).toBe(alias.context_length)
    if (alias.id.endsWith('vision')) expect(target?.input_modalities).toContain('image')
  }
})
