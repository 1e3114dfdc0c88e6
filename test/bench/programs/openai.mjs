// A chat with the official SDK. Arguments: base URL, key, model.
import OpenAI from 'openai'

const [baseUrl, apiKey, model] = process.argv.slice(2)
const client = new OpenAI({ baseURL: `${baseUrl}/openai/v1`, apiKey })
const messages = [{ role: 'user', content: 'hi' }]
const chunks = await client.chat.completions.create({ model, messages, stream: true })
for await (const chunk of chunks) process.stdout.write(chunk.choices[0]?.delta.content ?? '')
process.stdout.write('\n')
