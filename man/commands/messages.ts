import type { PageText } from '../command-page.ts'
import { toolStatuses } from '../exit-statuses.ts'
import { section } from '../mdoc.ts'

const differences = `The prompt, the files and images, the options for the answer and the layout of Markdown are those of syn-chat(1). The differences:

The request must limit the length of the answer, thinking included. If --max-tokens does not, it is 8192 tokens.

--system may be repeated for a system prompt of several parts, some of them from files.

-T and --allow run tools as in syn-chat(1). Nothing is saved. syn chat --api messages uses the same API within a conversation.`

const tools = `Thinking is shown where syn chat shows reasoning. A tool use is printed below the text:

  $ cat tools.json
  [{"name":"weather","description":"Weather of a city",
    "input_schema":{"type":"object","properties":{"city":{"enum":["Oslo","Rome"]}},"required":["city"]}}]
  $ syn messages --sandbox --no-reasoning --tools @tools.json "Weather in Oslo?"
  weather({"city":"Oslo"})

--json prints the message as the service would have sent it without streaming, with signatures and unknown keys. It can be sent back with --messages:

  $ syn messages --sandbox --tools @tools.json --json "Weather in Oslo?" | jq -c ".content[1]"
  {"type":"tool_use","id":"call_1v599oc","name":"weather","input":{"city":"Oslo"}}`

const text: PageText = {
  statuses: toolStatuses,
  sections: [section('DIFFERENCES FROM SYN CHAT', differences), section('TOOLS AND THINKING', tools)],
  seeAlso: ['syn-chat', 'syn-count-tokens', 'syn-tools'],
}

export default text
