// A minimal client: what any program on Node needs to print an answer. Arguments: operation, base URL, key, model.
import { request } from 'node:http'

const messages = [{ role: 'user', content: 'hi' }]
const operations = {
  chat: ['/openai/v1/chat/completions', { messages }, (event) => event.choices[0]?.delta.content],
  complete: ['/openai/v1/completions', { prompt: 'hi' }, (event) => event.choices[0]?.text],
  messages: ['/anthropic/v1/messages', { messages, max_tokens: 8192 }, (event) => event.delta?.text],
}
const [operation, baseUrl, key, model] = process.argv.slice(2)
const [path, fields, textOf] = operations[operation]
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
request(baseUrl + path, { method: 'POST', headers }, (response) => {
  let rest = ''
  response.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()
    let text = ''
    for (const line of lines) if (line.startsWith('data: {')) text += textOf(JSON.parse(line.slice(6))) ?? ''
    if (text !== '') process.stdout.write(text)
  })
  response.on('end', () => process.stdout.write('\n'))
}).end(JSON.stringify({ model, stream: true, ...fields }))
