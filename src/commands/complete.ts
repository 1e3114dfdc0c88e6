import { completionsFields } from '../api/completions/fields.ts'
import { completions, type Counts, countsOf } from '../api/completions/operation.ts'
import { ask, limitsOf } from '../answer/ask.ts'
import { defineCommand } from '../command.ts'
import type { CommandContext } from '../context.ts'
import type { Fields } from '../fields/field.ts'
import type { Json } from '../io/json/json.ts'
import { inputOptions, promptOptions, requestOptions, textOptions } from '../fields/request-options.ts'
import { noPrompt, noticeFileName, readText } from '../input/prompt.ts'

const options = {
  promptTokens: {
    kind: 'array',
    shape: async () => (await import('../api/completions/shapes.ts')).promptTokens,
    exclusive: ['template', 'file', 'stdin', 'prompt'],
    help: 'Token IDs instead of text: [1,2], or [[1,2],[3]] for several prompts',
  },
  ...promptOptions,
  file: { ...inputOptions.file, help: 'Add a text file to the prompt; repeatable' },
  stdin: inputOptions.stdin,
  ...textOptions,
  ...requestOptions,
} as const satisfies Fields

export default defineCommand({
  description:
    'Print the continuation of a text as the model writes it. The prompt is the arguments, then the files, then ' +
    'stdin, unchanged: each starts on a new line unless the one before ends in white space, and the final newline is ' +
    'removed. Each --prompt adds one more prompt to the same request. Any of these overrides a prompt in --param or ' +
    '--body.',
  arguments: [
    {
      name: 'prompt',
      help: 'Text to continue, or - for stdin',
      many: true,
      exclusive: ['promptTokens'],
    },
  ],
  fields: completionsFields,
  options,
  examples: [
    ['Continue a text', 'syn complete "Once upon a time"'],
    ['Continue a file', 'syn complete -f story.txt --max-tokens 200'],
    ['Continue several texts in one request', 'syn complete --prompt "The sky is" --prompt "The sea is"'],
    ['Show how probable each token is', 'syn complete --echo --logprobs 1 --json "To be or not to be"'],
    ['Print the text without a final newline', 'syn complete --json "2 + 2 =" | jq -j ".choices[0].text"'],
  ],

  async run(context) {
    await noticeFileName(context.words, context.options, context.io, (text) => context.notices.info(text))
    const prompt = await readPrompt(context)
    const { prompt: _prompt, ...others } = context.fields
    const counts = countsOf({ ...others, prompt })
    const title = (index: number): string => titleOf(index, counts)
    const request = { prompt, stream: true, ...others }
    const question = { operation: completions, request, ...(await limitsOf(context)) }
    await ask(question, { ...context.options, title, isPlainText: true }, context)
  },
})

/** @throws UsageError if there is nothing to continue. */
async function readPrompt({
  words,
  prompt: given,
  fields,
  flags,
  options: { promptTokens, file, stdin },
  io,
  notices,
}: CommandContext<typeof completionsFields, typeof options>): Promise<Json> {
  if (promptTokens) return promptTokens
  const hasOther = fields.prompt !== undefined
  const text = await readText({ words, prompt: given, files: file, stdin, hasOther, notices }, io)
  const [first, ...others] = [...(text === '' ? [] : [text]), ...[flags.prompt ?? []].flat()]
  if (first !== undefined) return others.length === 0 ? first : [first, ...others]
  const { prompt } = fields
  const isMissing = prompt === undefined || (Array.isArray(prompt) && prompt.length === 0)
  if (isMissing) throw noPrompt('syn complete "Once upon a time"')
  return prompt
}

/** Choices are numbered consecutively: all completions of the first prompt, then those of the second. */
function titleOf(index: number, { prompts, completions: perPrompt }: Counts): string {
  if (prompts === 1) return `Completion ${index + 1}`
  const prompt = `Prompt ${Math.floor(index / perPrompt) + 1}`
  return perPrompt === 1 ? prompt : `${prompt}, completion ${(index % perPrompt) + 1}`
}
