import type { PageText } from '../command-page.ts'
import { localStatuses } from '../exit-statuses.ts'

const text: PageText = { statuses: localStatuses, seeAlso: ['syn-login'] }

export default text
