import type { PageText } from '../command-page.ts'
import { requestStatuses } from '../exit-statuses.ts'
import { section } from '../mdoc.ts'

const output = `In a pipe, cut selects columns. The sandbox searches these man pages:

  $ syn search --sandbox --limit 2 exit status | cut -f 1,2
  https://syn.invalid/1	Invented result 1 for exit status
  https://syn.invalid/2	Invented result 2 for exit status`

const text: PageText = {
  statuses: {
    ...requestStatuses,
    failed:
      'Failure: the service rejected the request, or a file could not be written. A search ' +
      'without results succeeds, with a notice.',
  },
  sections: [section('OUTPUT', output)],
}

export default text
