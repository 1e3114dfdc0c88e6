// A chat with undici alone. Arguments: base URL, key, model.
import { request } from 'undici'

const [baseUrl, key, model] = process.argv.slice(2)
const { body } = await request(`${baseUrl}/openai/v1/chat/completions`, {
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'hi' }] }),
})
let rest = ''
for await (const chunk of body.setEncoding('utf8')) {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  const events = lines.filter((line) => line.startsWith('data: {')).map((line) => JSON.parse(line.slice(6)))
  process.stdout.write(events.map((event) => event.choices[0]?.delta.content ?? '').join(''))
}
process.stdout.write('\n')
