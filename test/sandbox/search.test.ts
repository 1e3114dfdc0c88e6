import { expect, test } from 'vitest'
import { useSandbox } from './clients.ts'

const clients = useSandbox()

test.each(['/search', '/v2/search'])('%s: invented results have the known shape', async (path) => {
  const response = await clients().fetch(path, { body: { query: 'streaming chat answer' } })
  const { results } = (await response.json()) as { results: object[] }
  expect(results).toHaveLength(3)
  for (const result of results) {
    expect(result).toMatchObject({
      url: expect.stringMatching(/^https:\/\/syn\.invalid\//) as string,
      title: expect.stringContaining('streaming chat answer') as string,
      text: expect.stringContaining('searched nothing') as string,
      highlights: [expect.any(String) as string],
      published: expect.any(String) as string,
    })
  }
})
