// Chats with undici alone, 64 at a time. Arguments: base URL, key, model, a file of prompts in JSON Lines. Prints the answers as JSON.
import { readFileSync } from 'node:fs'
import { Agent, request } from 'undici'

const [baseUrl, key, model, path] = process.argv.slice(2)
const dispatcher = new Agent({ connections: 64 })
const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
let next = 0

async function work() {
  while (next < lines.length) {
    const { prompt } = JSON.parse(lines[next++])
    const { body } = await request(`${baseUrl}/openai/v1/chat/completions`, {
      dispatcher,
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: prompt }] }),
    })
    let text = ''
    let rest = ''
    for await (const chunk of body.setEncoding('utf8')) {
      const events = (rest + chunk).split('\n')
      rest = events.pop()
      for (const event of events) {
        if (event.startsWith('data: {')) text += JSON.parse(event.slice(6)).choices[0]?.delta.content ?? ''
      }
    }
    process.stdout.write(`${JSON.stringify(text)}\n`)
  }
}

await Promise.all(Array.from({ length: 64 }, work))
