import type { PageText } from '../command-page.ts'
import { requestStatuses } from '../exit-statuses.ts'
import { section } from '../mdoc.ts'

const output = `One number is printed, or one for each file and their total:

  $ syn count-tokens --sandbox < notes.txt
  16
  $ syn count-tokens --sandbox -f notes.txt -f question.txt
  16 notes.txt
  14 question.txt
  30 total

On a terminal, --context adds the share of the model's context, as in: 299 tokens · 0.1% of 262,144 (syn:large:text).

An argument that names a file is an error, because the file was probably meant: count it with -f, or pipe it in.`

const guard = `--max turns the command into a guard for scripts. The number is printed in any case:

  $ syn count-tokens --sandbox --max 10 -f notes.txt || echo "status $?"
  16
  syn: 16 tokens exceed --max 10
  status 8`

const text: PageText = {
  statuses: { ...requestStatuses, threshold: 'There are more tokens than --max.' },
  sections: [section('OUTPUT', output), section('GUARDING A SCRIPT', guard)],
  seeAlso: ['syn-messages'],
}

export default text
