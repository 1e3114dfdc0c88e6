import type { PageText } from '../command-page.ts'
import { localStatuses } from '../exit-statuses.ts'
import { section } from '../mdoc.ts'

const shown = `On a terminal, man shows the page, with the pager and the colors that are set for it, such as MANPAGER. If there is no man, as in many containers and on Windows, or if it cannot show the page, syn prints it. In a pipe or to a file, syn always prints it: plain text of 80 columns, without color and without the overstrikes of man.

  syn man chat | less
  syn man chat | grep -n timeout

The name may also be syn-chat. A subcommand is on the page of its command.

The page is that of the version that runs, also if man syn-chat would find another one. man gets it as a temporary file, which is removed when man ends.`

const text: PageText = {
  statuses: localStatuses,
  sections: [section('HOW IT IS SHOWN', shown)],
}

export default text
