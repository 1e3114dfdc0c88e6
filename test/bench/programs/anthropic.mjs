// The official SDK of the messages API. Arguments: base URL, key, model.
import Anthropic from '@anthropic-ai/sdk'

const [baseUrl, authToken, model] = process.argv.slice(2)
const client = new Anthropic({ baseURL: `${baseUrl}/anthropic`, authToken, apiKey: null })
const messages = [{ role: 'user', content: 'hi' }]
const events = await client.messages.create({ model, messages, max_tokens: 8192, stream: true })
for await (const event of events) {
  if (event.type === 'content_block_delta') process.stdout.write(event.delta.text)
}
process.stdout.write('\n')
