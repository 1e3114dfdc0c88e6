import type { PageText } from '../command-page.ts'
import { localStatuses } from '../exit-statuses.ts'
import { section } from '../mdoc.ts'

const shown = `If stdout is a terminal and there is a program man, it shows the page with the pager and the colors that are set for it, such as MANPAGER. Without one, as in many containers and on Windows, syn prints the page itself. So it does in a pipe or to a file, where man is not run: plain text of 80 columns, without color and without overstrikes, with which other programs add bold.

  syn man chat | less
  syn man chat | grep -n timeout

A name may also be given as syn-chat. A subcommand is described on the page of its command.

syn keeps nothing of a page: what man gets is a temporary file, which is removed when man ends. The pages are those of the version that runs, also if man syn-chat would find another.`

const text: PageText = {
  statuses: localStatuses,
  sections: [section('HOW IT IS SHOWN', shown)],
}

export default text
