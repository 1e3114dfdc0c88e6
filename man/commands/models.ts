import type { PageText } from '../command-page.ts'
import { requestStatuses } from '../exit-statuses.ts'
import { section } from '../mdoc.ts'

const output = `On a terminal this is a table. A wide terminal shows the features too, a narrow one leaves out columns; IDs are never cut.

In a pipe, cut selects columns:

  $ syn models --sandbox --vision | cut -f 1,2,7
  hf:sandbox/Borealis-1T-Vision	524288	
  hf:sandbox/Drizzle-30B-Vision	262144	
  hf:sandbox/Glacier-900B	524288	
  syn:large:vision	524288	hf:sandbox/Borealis-1T-Vision
  syn:small:vision	262144	hf:sandbox/Drizzle-30B-Vision
  $ syn models show syn:small:text --sandbox | grep -e ^id -e context -e aliases
  id	hf:sandbox/Ember-12B
  context_length	131072
  aliases	syn:small:text

For removed models, see MODELS in syn(1).`

const text: PageText = {
  statuses: { ...requestStatuses, notFound: 'Not found: the list has no such model, or the service has no list.' },
  sections: [section('OUTPUT', output)],
  seeAlso: ['syn-chat'],
}

export default text
