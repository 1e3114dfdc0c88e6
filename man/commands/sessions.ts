import { entryFormats, formatVersion } from '../../src/conversation/entry.ts'
import type { PageText } from '../command-page.ts'
import { conversationsFolder } from '../environment.ts'
import { localStatuses } from '../exit-statuses.ts'
import { definitions, section } from '../mdoc.ts'

const use = `The argument conversation is a name, an ID, or an ID prefix of at least the date, such as 20261121. syn chat continues it with -c or --session.

  $ syn chat --sandbox --save "Say hello in Japanese" > answer.txt
  $ syn sessions search japanese | cut -f 2
  user
  assistant
  $ syn sessions rename -q "$(syn sessions list | cut -f 1 | head -n 1)" hello
  $ syn sessions list | cut -f 3,4
  1	hello
  $ syn sessions export hello -o hello.json && jq length hello.json
  2

syn chat --messages reads the JSON that export writes, for example to continue with another model. Markdown and HTML are for reading; an HTML page has answers as written, but for blocks of code, runs no script and loads nothing. show on a terminal and HTML have the time of each message: when it was sent, or the answer ended.

Turns and answers replaced by /undo, /edit and /retry in the chat are saved too. With --all, show and export print them in the order in which they were written, marked [on another branch].

After /compact, the current branch begins with an answer marked [summary]; the messages before it are on another branch.`

const format = `Each line of a file is one JSON object with a type. Lines are only appended, each in one write, so that several runs can write to one file.

While an answer arrives, its parts are written to ID.RUN.part. When the answer ends, its end, which repeats the parts, is appended to ID.jsonl, and ID.RUN.part is removed. A killed run leaves that file behind: it is read with the conversation, and syn sessions rm removes both. The parts of an answer with an end are ignored. To copy a conversation, copy all its files.

Turns and answers have an ID and name the entry before them as parent. A conversation is thus a tree, and continues from its latest turn.

Times, under at, are ISO 8601 in UTC. Damaged lines and lines of an unknown type are skipped.

This is version ${formatVersion} of the format. The types are:`

const lineTypes = Object.fromEntries(Object.entries(entryFormats).map(([type, { help }]) => [type, help]))

const text: PageText = {
  statuses: { ...localStatuses, failed: `${localStatuses.failed} Also if syn sessions search finds nothing.` },
  sections: [
    section('USE', use),
    section(
      'STORED FILES',
      'Only their owner can read these files.',
      definitions('Pa', {
        [`${conversationsFolder}/ID.jsonl`]: 'A conversation.',
        [`${conversationsFolder}/ID.RUN.part`]: 'The parts of an answer without an end. RUN is the ID of the answer.',
        [`${conversationsFolder}/index.json`]:
          'Names, first words and times of the conversations, so that syn sessions need not read them all. It is safe to ' +
          'delete it.',
      }),
    ),
    section('FILE FORMAT', format, definitions('Li', lineTypes)),
  ],
  seeAlso: ['syn-chat'],
}

export default text
