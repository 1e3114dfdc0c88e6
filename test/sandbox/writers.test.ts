import { expect, test } from 'vitest'
import { useSandbox } from './clients.ts'

const clients = useSandbox()

const cases: [request: string, answer: RegExp][] = [
  ['hi', /^## You wrote\n\n> hi\n/],
  ['Say hello in French and Welsh', /French:\*\* Bonjour.*\n- \*\*Welsh/],
  ['Say hello in five languages', /(?:^- .*\n){5}/m],
  ['Count from 3 to 1', /^3 {2}\n2 {2}\n1\n/],
  ['Count up from 3 to 5', /^3 {2}\n4 {2}\n5\n/],
  ['Write a Rust function that adds', /```rust\n.*fn main.*```\n.*```sh\nrustc/s],
  ['Write a program', /```python\n/],
  ['Implement it in C++', /```cpp\n/],
  ['Compare Go and Ruby', /^## Go and Ruby\n.*\| 2009 \|.*\| 1995 \|(?!.*```)/s],
  ['Compare Ruby, Go and Rust, with an example', /^## Ruby, Go and Rust\n.*\| 2012 \|.*```ruby\n.*```/s],
  ['A table of three languages with their year', /^## \S+, \S+ and \S+\n(?:.*\n){3}(?:\| \*\*.*\| \d{4} \|.*\n){3}/],
  ['Explain how tides work', /^## You wrote\n\n> Explain how tides work\n/],
  ['Reply with exactly: pong', /^pong$/],
  ['Say exactly “ping pong”.', /^ping pong$/],
  ['Answer with the word yes', /^yes$/],
  ['Write exactly three lines about cats', /stand-in/],
  ['What did I ask before?', /first message/],
]

test.each(cases)('%j', async (request, answer) => {
  expect(await clients().ask(request)).toMatch(answer)
})

test('every other answer says that it comes from a stand-in', async () => {
  for (const [request] of cases.filter(([words]) => !/exactly[: “]*p|the word /.test(words))) {
    expect(await clients().ask(request)).toContain('an offline stand-in')
  }
})
