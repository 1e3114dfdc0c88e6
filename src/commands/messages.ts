import { defaultMaxTokens, messagesFields } from '../api/messages/fields.ts'
import { fromChat, toChat, toMessage } from '../api/messages/convert.ts'
import { messages as operation } from '../api/messages/operation.ts'
import { ask, limitsOf } from '../answer/ask.ts'
import { loadTools } from '../answer/load-tools.ts'
import { defineCommand } from '../command.ts'
import { answerOptions, inputOptions, promptOptions, requestOptions, toolOptions } from '../fields/request-options.ts'
import type { Json, JsonObject } from '../io/json/json.ts'
import type { NewTurn } from '../conversation/session.ts'
import { noticeFileName, readConversation } from '../input/prompt.ts'

export default defineCommand({
  description:
    'Send a prompt to a model with the messages API and print the answer as it arrives. The answer goes to stdout; ' +
    'notices, thinking, and errors go to stderr.',
  arguments: [{ name: 'prompt', help: 'Prompt, or - for stdin', many: true }],
  fields: messagesFields,
  options: {
    ...promptOptions,
    file: inputOptions.file,
    image: inputOptions.image,
    stdin: inputOptions.stdin,
    ...toolOptions,
    ...answerOptions,
    ...requestOptions,
  },
  examples: [
    ['Ask a question', 'syn messages "Say hello in three languages"'],
    ['Combine system prompts', 'syn messages -s @style.md -s "Answer in French." "What is a monad?"'],
    ['Let the model use tools', 'syn messages --tools @tools.json --tool-choice any "Weather in Oslo?"'],
    ['Continue a conversation', 'syn messages --messages history.json "And in French?"'],
    ['Print the full message', 'syn messages --json "Name a boat" | jq .content'],
  ],

  async run(context) {
    const { words, fields, options, io, notices } = context
    const toolRunner = await loadTools(context)
    const sources = { ...context, example: 'syn messages "Say hello in three languages"' }
    await noticeFileName(words, options, io, (text) => notices.info(text))
    const messages = await readConversation(fields.messages, sources, toMessage, io)
    const { messages: _messages, ...others } = fields
    if (others.system === '') delete others.system
    const requestWith = (all: Json[]): JsonObject => {
      return { max_tokens: defaultMaxTokens, messages: all, stream: true, ...others }
    }
    const shared = await limitsOf(context)
    if (!toolRunner) return void (await ask({ operation, request: requestWith(messages), ...shared }, options, context))
    const [{ dialects }, { Session }, { openStore }] = await Promise.all([
      import('../api/dialects.ts'),
      import('../conversation/session.ts'),
      import('../conversation/store.ts'),
    ])
    // The conversation lasts for this run only.
    const session = new Session(openStore(context), false)
    const dialect = dialects.messages
    const request = ({ instructions = '', ...turn }: NewTurn): JsonObject => {
      const before = [instructions, others.system ?? ''].map((content) => ({ role: 'system', content }))
      const { messages: all, system } = fromChat([...before, ...session.messagesWith(turn, dialect)])
      return { ...requestWith(all), ...(instructions !== '' && { system }) }
    }
    const question = { dialect, session, turn: { messages: toChat(messages) }, request, ...shared }
    await toolRunner.askOnceWithTools(question, options, context)
  },
})
