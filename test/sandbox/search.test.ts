import { expect, test } from 'vitest'
import { readPage } from '../../src/sandbox/search.ts'
import { useSandbox } from './clients.ts'

const clients = useSandbox()

const page = String.raw`.Dd June 1, 2026
.Dt SYN-CHAT 1
.Os
.Sh NAME
.Nm syn-chat
.Nd ask a model
.Sh EXIT STATUS
.\" a comment
.Bl -tag -width Ds
.It Fl m , Fl \-model Ar MODEL
Which model answers; see
.Xr syn-models 1.
.Pp
Writes \(aqtext\(aq to the \fIstandard output\fP.
.El
`

test('sections are read as plain text', () => {
  expect(readPage('syn-chat', page)).toEqual([
    { page: 'syn-chat', name: 'NAME', text: 'syn-chat\nask a model', published: '2026-06-01T00:00:00.000Z' },
    {
      page: 'syn-chat',
      name: 'EXIT STATUS',
      text: "-m, --model MODEL\nWhich model answers; see\nsyn-models 1.\nWrites 'text' to the standard output.",
      published: '2026-06-01T00:00:00.000Z',
    },
  ])
})

test('search has the known shape, on both paths', async () => {
  for (const path of ['/search', '/v2/search']) {
    const response = await clients().fetch(path, { body: { query: 'streaming chat answer' } })
    const { results } = (await response.json()) as { results: object[] }
    for (const result of results) {
      expect(result).toMatchObject({
        url: expect.stringMatching(/^https:\/\/syn\.invalid\/man\/syn.*#/) as string,
        title: expect.any(String) as string,
        text: expect.any(String) as string,
        highlights: expect.any(Array) as string[],
      })
    }
  }
})
