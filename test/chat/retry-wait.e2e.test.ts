/** The wait before a retry, in the row of what is waited for. */

import { expect, test } from 'vitest'
import { openChat } from '../helpers/interactive-chat.ts'

test('it counts down, and Ctrl-C ends it', async () => {
  await using chat = await openChat([
    (_asked, response) => void response.writeHead(429, { 'retry-after': '100' }).end('{"error":"busy"}'),
  ])
  chat.screen.type('hi\r')
  const rows = new Set<string>()
  await chat.screen.until((lines) => {
    for (const line of lines) if (line.startsWith('retrying in ')) rows.add(line)
    return rows.size >= 3
  })
  const lefts = [...rows].map((row) => Number(/^retrying in 1 min (\d+) s$/.exec(row)?.[1]))
  expect(lefts).toEqual([...new Set(lefts)].sort((a, b) => b - a))
  expect(lefts[0]).toBeGreaterThan(30)
  chat.screen.type('\u0003')
  await chat.screen.until((lines) => lines.at(-1) === '›' && !lines.some((line) => line.startsWith('retrying in ')))
  expect(chat.screen.lines().join('\n')).toContain('no answer: /retry sends the message again')
})
