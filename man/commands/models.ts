import type { PageText } from '../command-page.ts'
import { requestStatuses } from '../exit-statuses.ts'
import { section } from '../mdoc.ts'

const output = `On a terminal this is a table. A wide terminal shows the features too, a narrow one leaves out columns; IDs are never cut.

In a pipe, cut selects columns:

  $ syn models --sandbox | cut -f 1,2,7
  hf:zai-org/GLM-5.3-Flash	524288	
  hf:zai-org/GLM-4.7-Flash	196608	
  hf:moonshotai/Kimi-K3	524288	
  hf:Qwen/Qwen3.8-27B	262144	
  hf:zai-org/GLM-4.7	202752	
  syn:large:text	524288	hf:zai-org/GLM-5.3-Flash
  syn:small:text	196608	hf:zai-org/GLM-4.7-Flash
  syn:large:vision	524288	hf:moonshotai/Kimi-K3
  syn:small:vision	262144	hf:Qwen/Qwen3.8-27B
  $ syn models --sandbox --json | jq '.data[] | select(.id == "hf:zai-org/GLM-4.7-Flash") | .context_length'
  196608

For removed models, see MODELS in syn(1).`

const text: PageText = {
  statuses: { ...requestStatuses, notFound: 'Not found: the service has no list.' },
  sections: [section('OUTPUT', output)],
  seeAlso: ['syn-chat'],
}

export default text
