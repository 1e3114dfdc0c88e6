import type { PageText } from '../command-page.ts'
import { promptsDirectory } from '../environment.ts'
import { localStatuses } from '../exit-statuses.ts'
import { definitions, section } from '../mdoc.ts'

const format = `A prompt is a Markdown file NAME.md, where NAME is made of up to 200 letters, digits, - and _. Any other file can be one too, with its path. Lines between two lines --- at its start set fields of the request, and the rest is the text:

  $ cat review.md
  ---
  description: Review a diff
  temperature: 0
  system: You are a strict reviewer. Be brief.
  ---
  Review this change. Look for {{focus}}.

  {{.}}
  $ echo "+ i++" | syn chat --sandbox -q -t @review.md --var focus=races --dry-run | jq -c .messages[1].content
  "Review this change. Look for races.\\n\\n+ i++"
  $ echo "+ i++" | syn chat --sandbox -t @review.md
  syn: prompt review.md: no value for "focus"
  hint: use --var focus=TEXT`

const keys = {
  description: 'What syn prompts prints beside the name. It is not sent.',
  system:
    'The system prompt, on one line. As for all fields that are text, such as user, it is taken as it is written.',
  schema: 'A JSON schema on one line, as with --schema. The answer is checked by it.',
  'temperature, …':
    'Any field of the request but messages, prompt, stream, tools and functions. The value is JSON if it parses, else a string. A model counts as -m, and may be a part of a name in the same way.',
}

const rules = `A flag, --param and --body override the file: --json-object, for example, its schema, and -s '' its system prompt. A system prompt in --messages is sent after it, as after that of -s. Line ends may be those of Windows. A field that the command does not have, a value that it does not accept, a key that comes twice, and schema with response_format end with status 2, and name file and line. A prompt runs nothing, opens no file, and changes no base URL.`

const values = {
  '{{.}}':
    'The words, the files of -f and stdin; in a batch the row. With an image alone it is empty. Where the text does not name it, they follow the text, except in a batch.',
  '{{focus}}': 'The value of --var focus=VALUE, which is not searched for braces; in a batch without it a column.',
  '{{"{{"}}': 'Two braces.',
}

const use = `syn chat, syn messages, syn complete and syn batch take a prompt with -t, and -s takes the text of one that sets no fields. @NAME is the stored prompt of that name, and only if there is none, the file NAME of the working directory, which may be from somebody else. If there are both, a notice says so; @./NAME is the file. With -t, NAME without the @ is the stored prompt, too; any other word is the text itself. A second -t is an error. With -t, syn chat is never interactive: the prompt is sent at once, and {{.}} needs words or stdin.`

const trust = `A stored prompt speaks for you, so it is trusted as the settings are, see syn-config(1): if another user than root can change it or put another one in its place, it is refused with exit status 2. A symbolic link is followed, and what it leads to is checked as well. syn prompts list and syn prompts show print such a prompt anyway. A file whose path you give, such as @./NAME, is not checked.`

const text: PageText = {
  statuses: localStatuses,
  sections: [
    section('USE', use, trust),
    section(
      'FILE FORMAT',
      format,
      'The keys are:',
      definitions('Li', keys),
      rules,
      'The text may have:',
      definitions('Li', values),
    ),
    section('STORED FILES', definitions('Pa', { [`${promptsDirectory}/NAME.md`]: 'A stored prompt.' })),
  ],
  seeAlso: ['syn-batch', 'syn-chat', 'syn-config'],
}

export default text
