/** Where conversations lie, and what their lines mean: for syn-sessions(1). */

import { entryHelp, formatVersion } from '../src/conversation/entry.ts'
import { list, type Section } from './mdoc.ts'
import { macro, paragraphs, prose } from './macros.ts'
import { conversationsFolder } from './surroundings.ts'

const format = `A file is written as things are said, so that it holds what had arrived even of a run that was killed.
Each line is one JSON object, which is added to the end in one step: several runs may write to one file.
Times, under at, are ISO 8601 in UTC.
Turns and answers have ids and name the one that they follow as their parent: a conversation is a tree, and what goes on is the way to its latest turn.
The conversation in which something was said last is that of the latest turn, answer or end, whenever its file was copied or touched.
A line that is damaged is skipped, and so is one whose type is not known.

This is version ${formatVersion} of the format. The type of a line is one of:`

export function conversationFiles(): Section[] {
  const types = Object.entries(entryHelp).flatMap(([type, help]) => [macro('It Li', type), prose(help)])
  return [
    [
      '.Sh FILES',
      ...list([
        macro('It Pa', `${conversationsFolder}/ID.jsonl`),
        prose('A conversation; only its owner can read it.'),
      ]),
    ],
    ['.Sh FORMAT', ...paragraphs(format), ...list(types)],
  ]
}
