import type { Model } from './catalogue.ts'
import { countPromptTokens, type Prompt } from './prompt.ts'
import { Refusal } from './refusal.ts'
import { checkLength } from './routing.ts'

/**
 * Whether a model can take a prompt.
 * @returns the prompt's tokens.
 * @throws Refusal for an empty or too long conversation, images it can't see, or a tool that isn't there.
 */
export function checkPrompt(prompt: Pick<Prompt, 'turns' | 'tools' | 'toolChoice'>, model: Model): number {
  const { turns, tools, toolChoice } = prompt
  if (turns.length === 0) throw new Refusal(400, '$.messages: [] is not accepted; expected at least one message')
  if (!model.hasVision && turns.some((turn) => turn.images.length > 0)) {
    throw new Refusal(400, `The model ${model.name} does not accept images; syn:large:vision and syn:small:vision do.`)
  }
  if (typeof toolChoice === 'object' && !tools.some((tool) => tool.name === toolChoice.name)) {
    throw new Refusal(400, `$.tool_choice: there is no tool ${JSON.stringify(toolChoice.name)} among the tools`)
  }
  if (toolChoice === 'any' && tools.length === 0) {
    throw new Refusal(400, '$.tool_choice: a tool has to be used, but there are no tools')
  }
  const tokens = countPromptTokens(prompt)
  checkLength(model, tokens)
  return tokens
}
