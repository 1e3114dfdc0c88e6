// The official SDK. Arguments: operation (chat or complete), base URL, key, model.
import OpenAI from 'openai'

const [operation, baseUrl, apiKey, model] = process.argv.slice(2)
const client = new OpenAI({ baseURL: `${baseUrl}/openai/v1`, apiKey })
if (operation === 'chat') {
  const messages = [{ role: 'user', content: 'hi' }]
  const chunks = await client.chat.completions.create({ model, messages, stream: true })
  for await (const chunk of chunks) process.stdout.write(chunk.choices[0]?.delta.content ?? '')
} else {
  const chunks = await client.completions.create({ model, prompt: 'hi', stream: true })
  for await (const chunk of chunks) process.stdout.write(chunk.choices[0]?.text ?? '')
}
process.stdout.write('\n')
