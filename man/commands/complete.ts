import type { PageText } from '../command-page.ts'
import { answerStatuses } from '../exit-statuses.ts'
import { section } from '../mdoc.ts'

const prompt = `Nothing is added to the texts of the prompt, apart from a newline where one is missing between two of them. With -t, they replace {{.}} in its text, or follow it after a blank line; see syn-prompts(1). The final newline is removed, so that the model continues on the same line:

  $ cat question.txt
  Q: Why is the sky blue?
  A:
  $ syn complete --sandbox -q --echo --max-tokens 6 -f question.txt
  Q: Why is the sky blue?
  A: and here the sandbox, an

Several prompts get one completion each, or --n of them:

  $ syn complete --sandbox -q --max-tokens 7 --prompt "The sky is" --prompt "The sea is" | cat
   and here the sandbox, an offline

   and here the sandbox, an offline

On a terminal, each completion has a heading.

The options for the answer are those of syn-chat(1). The answer is plain text and is not laid out. Nothing is saved.`

const probabilities = `--logprobs N asks for the probability of each token, which --json prints as the service sent it:

  $ syn complete --sandbox -q --echo --max-tokens 2 --logprobs 1 --json "To be" > to-be.json
  $ jq -c ".choices[].logprobs | .tokens, .token_logprobs" to-be.json
  ["To"," be"," and"," here"]
  [null,-0.540254,-0.590591,-0.111043]`

const text: PageText = {
  statuses: {
    ...answerStatuses,
    // Ends at its limit by nature.
    cutShort: 'The completion was cut short after part of it had been delivered.',
  },
  sections: [section('PROMPTS', prompt), section('PROBABILITIES', probabilities)],
  seeAlso: ['syn-chat'],
}

export default text
