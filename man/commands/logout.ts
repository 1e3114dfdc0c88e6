import type { PageText } from '../command-page.ts'
import { localStatuses } from '../exit-statuses.ts'
import { section } from '../mdoc.ts'

const forgotten = `--forget removes the profile, by default the current one, from the config file. If it was the default profile, syn says which one is the default now. A profile that is not stored is an error: the hint lists those that are.`

const text: PageText = {
  statuses: localStatuses,
  sections: [section('PROFILES', forgotten)],
  seeAlso: ['syn-login', 'syn-config'],
}

export default text
