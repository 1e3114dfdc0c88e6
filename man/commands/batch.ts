import type { PageText } from '../command-page.ts'
import { requestStatuses } from '../exit-statuses.ts'
import { section } from '../mdoc.ts'

const continuing = `With --output OUT, each result is written to OUT.partial as it arrives, and OUT appears when all rows are finished. The same command again sends only the rows that have no result.`

const text: PageText = {
  statuses: {
    ...requestStatuses,
    failed: 'Some rows failed, or a file could not be written.',
  },
  sections: [section('CONTINUING A RUN', continuing)],
}

export default text
