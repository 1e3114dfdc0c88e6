// Gets embeddings with fetch and JSON.parse alone, 64 texts at a time as syn does, and prints how many numbers came.
// Arguments: base URL, key, model. The texts are the lines of standard input.
import { readFileSync } from 'node:fs'

const [baseUrl, key, model] = process.argv.slice(2)
const texts = readFileSync(0, 'utf8').trimEnd().split('\n')
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
let count = 0
for (let at = 0; at < texts.length; at += 64) {
  const body = JSON.stringify({ model, input: texts.slice(at, at + 64) })
  const response = await fetch(`${baseUrl}/openai/v1/embeddings`, { method: 'POST', headers, body })
  for (const { embedding } of JSON.parse(await response.text()).data) count += embedding.length
}
process.stdout.write(`${count}\n`)
