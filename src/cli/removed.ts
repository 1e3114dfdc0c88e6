/** Options and subcommands that the last version had. They are named for one release. */

import { UsageError } from '../errors.ts'
import { isFile } from '../io/files/stats.ts'
import { type ParsedLine, piecesOf } from './argv.ts'

/** What is in their place. */
const replacements: Readonly<Record<string, string>> = {
  'quota --watch': 'use a loop of the shell: while sleep 30; do syn quota; done',
  'quota --strict': 'use syn quota --remaining, which fails if the remaining quota is unknown',
  'quota --get': 'use jq: syn quota --json | jq .subscription.requests',
  'config edit': 'use $EDITOR "$(syn config path)"',
  'embed --compare': 'use syn similar TEXT FILE: it ranks texts by how similar they are to one',
  'embed --cache': 'embed only the texts that have no embedding yet, and add the rows to the file',
  'models show': `use jq: syn models --json | jq '.data[] | select(.id == "ID")'`,
  'models --filter': 'use grep: syn models | grep -i WORD',
  'models --vision': 'use grep: syn models | grep image',
  'models --embedding': 'use grep: syn models | grep -i embed',
  'prompts add': 'write NAME.md in the directory prompts beside the file of syn config path',
  'prompts edit': 'edit NAME.md in the directory prompts beside the file of syn config path',
  'prompts rm': 'use rm NAME.md in the directory prompts beside the file of syn config path',
  'count-tokens --context': 'use syn models for the context lengths, or --max',
  'count-tokens --cost': 'use syn models for the prices',
  'count-tokens --max-cost': 'use --max, or --max-cost of syn chat',
  'sessions --older-than': 'use syn sessions list, which has the times, and syn sessions rm ID...',
  'completion install': 'use syn completion SHELL, as syn man completion shows',
  'search --open': 'use xdg-open "$(syn search --urls --limit 1 QUERY)"',
  'batch --prune': 'leave it out: answers that no row needs stay recorded, and are skipped',
  'batch status': 'repeat the command with --dry-run: it says how many rows have an answer, and what the others cost',
  'batch merge': 'use cat part.*.answers > OUT.answers, then syn batch --offline -o OUT with the options of the parts',
}

/** @returns `undefined` for a line without one. A file may have the name of a subcommand. */
export function removedError({ argv, specs, command }: ParsedLine): UsageError | undefined {
  for (const { word, known } of piecesOf(argv, specs)) {
    const typed = `${command?.name} ${word.replace(/=.*/s, '')}`
    const hint = known ? undefined : replacements[typed]
    if (hint !== undefined && !isFile(word)) return new UsageError(`syn ${typed} was removed`, { hint })
  }
  return undefined
}
