import { expect, test } from 'vitest'
import { useSandbox } from './clients.ts'

const clients = useSandbox()

test.each<[request: string, answer: RegExp]>([
  ['Say hello to Ada', /^## You wrote\n\n> Say hello to Ada\n/],
  ['Say hello in three languages', /(?:^- \*\*.*\n){3}/m],
  ['Count to 3', /^1 {2}\n2 {2}\n3\n/],
  ['Write a program', /```bash\n#!.*Write a program.*\n```\n/s],
  ['A table of Bash, Python and Rust, and a script', /^## Bash, Python and Rust\n.*\| 2012 \|.*```bash\n.*```/s],
  ['Explain how tides work\n\nCount to 3', /^## You wrote\n\n> Explain how tides work Count to 3\n/],
])('%j: what the first paragraph asks for, and a note that no model was used', async (request, answer) => {
  const text = await clients().ask(request)
  expect(text).toMatch(answer)
  expect(text).toContain('an offline stand-in')
})
