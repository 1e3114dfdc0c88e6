import type { PageText } from '../command-page.ts'
import { requestStatuses } from '../exit-statuses.ts'
import { section } from '../mdoc.ts'

const output = `Some models cannot count: for an alias, another one does, and a warning says which. For hf:NAME and with --max, only with --fallback.

  $ syn count-tokens --sandbox < notes.txt
  syn: counted with hf:zai-org/GLM-4.7-Flash: hf:zai-org/GLM-5.3-Flash cannot count
  14

An argument that names a file is an error, because the file was probably meant: pipe it in, or use -f. With -f, the name of the file and the lines around its text count too, as syn messages sends them.`

const guard = `--max turns the command into a guard for scripts. The number is printed in any case:

  $ syn count-tokens --sandbox -m syn:small:text --max 10 < notes.txt || echo "status $?"
  14
  syn: 14 tokens exceed --max 10
  status 8`

const text: PageText = {
  statuses: {
    ...requestStatuses,
    threshold: 'There are more tokens than --max.',
  },
  sections: [section('OUTPUT', output), section('GUARDING A SCRIPT', guard)],
  seeAlso: ['syn-messages'],
}

export default text
