import { slashCommands } from '../../src/chat/slash-commands/registry.ts'
import { usageOf } from '../../src/chat/slash-commands/slash-command.ts'
import { keyHelp } from '../../src/terminal/line-editor/keymap.ts'
import type { PageText } from '../command-page.ts'
import { toolStatuses } from '../exit-statuses.ts'
import { definitions, section, type Section } from '../mdoc.ts'

const prompt = `The prompt is made of the words on the command line, then the text files of --file, each under its name, then stdin if it is a pipe, a file or a socket. Blank lines separate them, so that a question can precede the text it is about.

  $ cat notes.txt
  The meeting is on Tuesday. Bring the figures.
  $ syn chat --sandbox "Summarize" < notes.txt | head -n 3
  ## You wrote

  > Summarize The meeting is on Tuesday. Bring the figures.

A dash among the words reads stdin, whatever it is; its text follows the prompt. --no-stdin never reads it, which a while read loop needs: otherwise syn would read the rest of the loop's input. A pipe is read until it is closed. While nothing arrives, a warning says so after 2, 10 and 60 seconds, also with -q; --no-stdin or < /dev/null avoids the wait. A socket, which programs written for Node give the programs they start, is often left open and never written to. If nothing arrives on it within a second and there is another part of the prompt, it is ignored with a notice.

A notice says that stdin is empty or blank beside a prompt, as after a grep that found nothing, or that a file of --file is, and the prompt is sent. To send nothing then, test first: test -s FILE && syn chat -f FILE "Summarize". There is no notice for /dev/null and a closed stdin, nor for empty stdin beside --file or --image. In a job of cron or CI, which may have an empty pipe as stdin, --no-stdin or < /dev/null avoids it for a prompt alone.

-t takes a prompt that is used again, from the command line, a file or one that syn prompts stored. What the prompt would be without it replaces {{.}} in its text, or else follows it. See syn-prompts(1).

--messages puts a conversation before the prompt, such as a file that syn sessions export wrote.

Two dashes end the options, for a prompt that begins with a dash:

  syn chat -- "-1 + 2?"`

const model = `The model is the first of these that is set: -m, SYN_MODEL, the model that answered last in the conversation, the setting model. Otherwise syn asks an alias, which stays current when models rotate: syn:large:text, or syn:large:vision if there are images. A model that takes no images, according to the stored model list and then that of the service, is refused before a conversation with images is sent. See MODELS in syn(1).`

const output = `--reasoning-effort takes what the model's entry in the list says, such as none or max, see syn models show; for a model without such an entry, low, medium or high. The list is asked for if the value is none of these three, but not with --dry-run and --curl. A value that the model lacks is an error, and -p reasoning_effort=VALUE sends any.

Models that think refuse their tool calls without the reasoning before them, so syn sends that back, but only to the service that produced it.

On a terminal the answer appears as it is generated, the reasoning first, dimmed, on stderr. In a pipe or a file only the answer is written.

--json prints the service's whole answer as one JSON document, --jsonl its chunks as they arrive, --extract only the first code block:

  $ syn chat --sandbox --json "Say hello in three languages" | jq -c .usage.prompt_tokens
  8

-u prints the tokens, the time, the cost if the model list has prices, and the requests that are left. "18 prompt (17 cached)" are 18 prompt tokens, 17 of which the service had in its cache. For -u, --json and the interactive chat, the request has stream_options.include_usage, without which many services send no usage with a stream; --stream-options replaces it. If a service refuses it, and its message names it, syn sends the request again without it, and leaves it out for an hour.

--max-cost 0.50 stops with exit status 8 before the requests of this run have cost more than 50 cents, by the prices of syn models: each request that follows a call of a tool is one. The estimate is that of syn batch, see COST in syn-batch(1). What the tools have done is recorded, so that syn chat -c with a higher amount continues. The first answer may cost more, as only its prompt is known before. In the interactive chat, all requests since its start count, also after /new, and the message returns to the line.

--schema asks for JSON of a given shape and checks the answer, which may be JSON, or have it in its only fenced code block. A notice names a schema that constrains nothing, such as an example of the answer in place of a schema. In a pipe or a file, that JSON alone is written, once it is checked. If it does not match, the exit status is 1, and the whole answer goes to stderr, with --output to FILE.partial:

  $ cat person.json
  {"type":"object","required":["name","age"],
   "properties":{"name":{"type":"string"},"age":{"type":"integer","minimum":18}}}
  $ syn chat --sandbox --schema person.json "Invent a person" | jq -c .
  {"name":"Ada Lovelace","age":18}

--output FILE replaces the file when the answer is complete. Until then it is unchanged. If the answer is cut short, the part received is kept in FILE.partial, until a later answer is complete. An answer that is empty or reached its token limit is not complete either: with --output, --extract and --schema it returns status 7, and --allow-cut takes it as it is; the chunks of --jsonl are never judged. Printed to stdout without these options, it returns 0 with a notice.

--dry-run prints the request body, which --body accepts. --curl prints a curl command in which the API key is $SYN_API_KEY; a notice says if that variable is not set. Neither sends a request.

If --n asks for several answers, they are printed in order, the first one as it arrives: on a terminal each under a heading, in a pipe or a file with a blank line between them. The first one is used when the conversation continues.`

const tools = `With -T and --allow, syn runs tools that the model calls: commands and servers of tools.json, and search, the web search of the service. See syn-tools(1) for the file. The results are sent to the model, until an answer calls nothing, or --max-steps requests were sent.

  $ cat weather.json
  {
    "tools": {
      "weather": {
        "description": "Weather of a city",
        "parameters": {
          "type": "object",
          "properties": { "city": { "enum": ["Oslo", "Rome"] } },
          "required": ["city"]
        },
        "command": ["echo", "{{city}}: +7"]
      }
    }
  }
  $ syn chat --sandbox --tools-file weather.json --allow weather "The weather in Oslo?" 2> /dev/null | sed -n 3p
  **weather** returned: Oslo: +7

NAME is a tool, a server for all its tools, SERVER/TOOL, or search. Nothing else is started or offered. --tools-file alone is an error, but for the interactive chat, where /tools names one. A model that calls another tool learns that it does not exist; one whose call fails, or is refused, learns why.

-T asks before each call. The question shows the arguments, and one key answers it: y runs the call, n and any other key refuse it, a runs it and asks no more about this tool, whatever the arguments, until syn ends or the chat starts or loads another conversation. The words yes, no and always count too. Ctrl-C ends the run. A question appears once no key was pressed for half a second. Keys count 0.3 s later, when its colon appears; earlier ones do not, and the question says to press again. Nor does a key that is held down, or pressed twice. A letter that other text follows within 0.3 s refuses.

On the screen, rows of the arguments are indented, and a run of more than 16 spaces is shown as its length: ⟨2500 spaces⟩. If the arguments do not fit on the screen, syn shows their beginning and end, and offers v in place of y and a. v, or any key but n, shows all of them; then syn asks again, without a.

Where syn cannot ask, because stdin or stderr is no terminal, -T is an error, and only --allow can be used. --allow wins over -T. syn stores no permission.

Several calls of one answer run one after the other. stderr has one line about each. In a pipe or a file, stdout has the last answer only; text before a call goes to stderr. -o, -x, --json and --schema apply to the last answer. --jsonl prints the chunks of all answers, and each message with results. -u adds up all requests, each of which counts against the quota. If the last request that --max-steps allows calls tools again, the status is 7, and nothing is printed to stdout. So it is for a call of an answer that was cut off, which is not run. --dry-run and --curl start the servers, to list their tools.

After a search, a notice names each URL of the answer that no result has: the model may have made it up.

A forced call, as with --tool-choice tool:NAME, holds for the first request. A call that was cut off at the token limit is not run. A conversation keeps calls and results; a call without a result, as after a killed run, is never sent again. --tools sends definitions instead, and prints the calls without running them.`

const scripts = `In Vim, this replaces the buffer, or with a range in place of % its lines, by the code block of the answer; without -x, by the answer. Vim would put stderr into the text too. If syn fails, the text is empty: u brings it back.

  :%!syn chat -x "Add comments to this code" 2>/dev/null

A loop that reads lines needs --no-stdin, as syn would read the lines that are left. For many lines, see syn-batch(1):

  while IFS= read -r line; do
    syn chat --no-stdin -q "Translate to French: $line" || exit
  done < lines.txt

A job of cron runs in your home directory with a short PATH, and its stdin is empty: --no-stdin does not read it. The key is that of syn login, if HOME is yours, or SYN_API_KEY in the crontab; a key command must not need a terminal or an unlocked keyring. A % is written \\%. Cron mails what is printed, and ignores the exit status. With -q and -o a success prints nothing, so that only warnings and errors are mailed:

  PATH=/usr/local/bin:/usr/bin:/bin
  5 6 * * * syn chat -q --no-stdin -f app.log -o report.md "Sum up the errors" || echo "status $?"`

const conversations = `A chat on a terminal is saved as a conversation, in a file that only you can read. In a pipe it is saved only with -c, --session or --save. The setting save turns off what is saved without these options; --no-save turns it all off for one run.

-c continues the latest conversation that was held with the same service. --session NAME continues the one of that name, and starts it if there is none:

  $ syn chat --sandbox --session meeting "Say hello in three languages" > answer.txt
  syn: starting a new conversation "meeting"
  $ syn chat --sandbox -c "What did I say before?" | sed -n 5p
  - 2 messages came before, the first one: “Say hello in three languages”.

The sandbox is a service of its own, and so is each base URL, by its scheme, host and port; all servers on this machine count as one. --session and /load continue a conversation with another service too, with a warning.

All earlier messages and answers are sent, then those of --messages. A system prompt of --system applies until another one is given; that of a prompt of --template, and all other fields, apply to one run.

An answer is saved while it arrives. If it is cut short, even by a killed process, the part received is kept and sent with the next message. A message that got no answer is sent again by syn chat -c without a prompt. A new prompt replaces it, with a notice.

syn sessions lists, shows, searches, exports, renames and removes conversations.`

const atOnceText = new Intl.ListFormat('en-US').format(
  slashCommands.filter((command) => command.runsAtOnce).map(({ name }) => `/${name}`),
)

const interactive = `With a terminal for input and output, and without a prompt, a file or an image, syn chat opens an interactive chat:

  $ syn chat --sandbox
  syn:large:text · /help for commands, Ctrl-D to exit
  ›

Flags such as -m, -s and --temperature apply to the whole chat. With -c or --session it first shows how the conversation ended.

The prompt stays below the answer while it arrives, so that you can write the next message. The prompt is then », and Enter queues the message: it is listed above the line, and sent when the answer ends. Esc stops the answer. The part received stays in the conversation, and the next message continues from there. An error does not end the chat: /retry sends the message again, also if a part of the answer arrived, and a failed attempt replaces nothing.

Queued messages are sent one by one. If the answer fails or is stopped, they return unsent: the first one to the line, unless you are typing there; the others are printed as not sent, and Up brings them from the history, in their order. What is not sent when the chat ends is in the history too. On a terminal with fewer than 8 rows or 20 columns, and with TERM=dumb, the line is shown when the answer ends.

During an answer, ${atOnceText} run at once, before queued messages; all other commands are queued like messages. What those three print appears when the row of the answer that is being written is complete, and is no part of the answer. With TERM=dumb, they are queued as well.

Images and files of /image and /file stay attached until a message with them was answered. The prompt shows them: [photo.png +2] stands for three. If a message gets no answer, /retry and /edit send it with what is attached then.

A path after an @ attaches a file or an image to this message, as in "What does @src/main.ts do?". The words are sent as they are typed, followed by the text of the file, and a notice names each file with its size. Tab completes the path: of the files below the working directory, read in the background, without hidden files, links, those that .gitignore excludes, and names that look like keys, such as id_rsa; after @../, @~/, @./ and @/, of the others too. The list has at most 20,000 files. A path with spaces is in quotes: @"my file.txt". If there is no such file, the @ stays text, and so do an address such as me@example.org, and a name that is pasted with its @, until it is typed or taken from the list in this chat. A notice names what looks like a path and is no file, such as @src/nope.ts, @src/ or @src/*.ts: its first folder exists, or it ends in a common extension, so that @types/node and @app.get("/") pass without one. A file that cannot be read, or is gone after it was offered or attached, is refused: the message returns to the line.

If a message is nothing but the paths of existing files, as terminals paste them for files that are dropped on them, syn asks whether to attach them. Each path is absolute, or starts with ~/, ./ or ../; spaces or line breaks separate them. The key y attaches the files, n sends the paths as a message, and any other key returns them to the line. If one of them cannot be attached, none is, and the paths return to the line. A path with other text is sent as text, and a notice names it.

The row above the prompt shows the model, how much of its context the conversation takes, the tokens and the cost of the conversation, what is left of the part of the quota that runs out first, and what the last answer took of it if the service says. While an answer arrives, it shows how long that has taken, and about how many tokens have arrived:

  syn:large:text · 4% of 8k context · 350 tokens · 489.2 of 500 requests left
  esc stops · 12 s · ≈340 tokens

What the service does not say is left out, and so is what does not fit. The tokens and the cost are those of all answers in the conversation, undone ones and those of earlier runs included. After an answer, at most once a minute, syn asks the service for the model list, if that is older than an hour, and for the quota, if no reply had it in a header. syn config set status false turns the row and these requests off; --quiet does so for one chat.

With -T, the question before a tool runs stands above the line. Any other key than those asked for refuses, Enter too, and other text is in the line afterwards, as is what you were typing before. Queued messages do not answer a question. The prompt shows the letters once they count. The status row names the tools that you always allowed. Esc ends the turn, and no call without a result is sent again. /tools lists the tools; /tools NAME offers one more, and takes back what you answered with a. /retry, /undo and /edit mean the last message that you wrote, with all calls and answers that followed it.

If a message would nearly fill the context of the model, syn warns and leaves the message in the prompt; Enter sends it anyway. Old messages are never dropped silently; /compact shortens the conversation.`

const slash = `A slash, the name of a command, and a space or the end of the line make a command. While you type a command or its argument, a list below the line shows what fits: at most eight rows, or as many as the terminal has room for, and none in fewer than 10 rows. Letters match in their order, so that /rtr finds /retry. Tab takes the candidate that the arrow keys have chosen, or the first one; Enter takes one only after an arrow key, and otherwise sends the line as it is. Esc closes the list. Where there is no room for it, and with TERM=dumb, Tab takes the first one, and names up to 50 that fit. Other text that starts with a slash, such as /usr/bin/foo is broken or /etc is full, is a message. A word alone that is no command is refused, and so are, with text or without, one that looks like a typo of a command and one that other programs have, such as /clear, which is answered with the name of the command here. A command that fails does not return to the line, and neither does what is refused; Up finds them in the history. //TEXT sends any message that starts with a slash. Aliases are ${aliasText()}.`

const compacted = `/compact asks the model for a summary of the conversation, and continues from it: with the next message, the summary is sent in place of the messages before it. The system prompt stays. Attached files and images are not sent again. That request has the fields of the chat, but no limit of tokens, stop sequences, tools or response format.

If the summary is stopped, fails, is cut off or empty, or is more than half as long as what it would replace, nothing changes. A message without an answer is no part of it, and returns to the line. /undo brings the messages back; before that, /retry and /edit refuse to send the request for the summary again. Nothing is removed: syn sessions show --all prints both. /show and /copy alone take the summary until the next message.`
const numbers = `Messages have numbers from 1, and their answers the same ones: Tab after /show, /edit and /copy lists them with their first words. /edit N, or Esc twice on an empty line for the last message, puts it into the line with what was attached to it. Enter sends what is then in the line in place of that message and what followed. Ctrl-C, Esc twice, Enter on an empty line, or a command ends the edit, with a notice; the message then stays as it is. While something is being typed, a queued /edit N does not begin: it is printed as not sent. /undo after an edit, answered or not, brings back what it replaced.

/copy uses the buffer of tmux, which passes it on to the terminal's clipboard; elsewhere wl-copy, xclip, xsel or pbcopy, unless the session is one of SSH; else OSC 52, which the terminal may not allow. The notice says which.`

const prompts = `Each prompt that syn prompts stored is a command too, unless another one has its name, as /help then says: /review --focus=races @src/pool.ts fills {{focus}}, and the rest is {{.}}, or follows the text; what is attached is enough. A value with spaces, quotes or a backslash needs double or single quotes, which end at the next quote of their kind; a backslash before it is refused. -- ends the values. The filled text is shown, sent and stored as a message, with what is attached; an @ in the file attaches nothing. The fields of the prompt hold for this message only, over /set, /model and /system, but under the options that the chat was started with; an option that one of these commands replaced since no longer counts. /retry sends them again, until the chat ends; after /edit or /undo it is a message like any other.`

const undone = `Messages and answers replaced by /undo, /edit and /retry are not lost: syn sessions show --all prints them.`

const keys = `The line editor has the keys of a shell in emacs mode that move and delete, and these:`

const editing = `To move: Left, Right, Ctrl-B and Ctrl-F by a character, Alt-B and Alt-F by a word, Home, End, Ctrl-A and Ctrl-E to the start or end of the line, Ctrl-Home and Ctrl-End to the start or end of the text.

To delete: Backspace and Delete a character, Ctrl-W and Alt-Backspace the word before, Alt-D the word after, Ctrl-U and Ctrl-K the line before or after the cursor. Ctrl-Y inserts what was deleted last, and Alt-Y after it what was deleted before that. Backspace takes the last accent or vowel sign of a letter, but an emoji as a whole.

Pasted text stays one message, however many lines it has. Where a terminal does not mark what is pasted, text with line ends that arrives at once counts as pasted, and a line end at its end sends it. Up, Down and Ctrl-R also reach the messages of earlier chats. If the editor of Ctrl-G fails, what it saved is in the line, and undo brings back what was there; after /edit it is in the history.`

const markdown = `On a terminal, Markdown in an answer is laid out as it arrives: words are wrapped to the width, and headings, nested and numbered lists, task lists, quotes, links, tables and code in the colors of its language are shown as such:

  $ syn chat --sandbox "A table of three languages with their year"
  Bash, Python and Rust

  ┌──────────┬───────┬─────────────────────────────┐
  │ Language │ Since │ Run it with                 │
  ├──────────┼───────┼─────────────────────────────┤
  │ Bash     │  1989 │ bash answer.sh              │
  │ Python   │  1991 │ python3 answer.py           │
  │ Rust     │  2012 │ rustc answer.rs && ./answer │
  └──────────┴───────┴─────────────────────────────┘

Text is printed as soon as later text cannot change how it looks: prose by the word, code and HTML by the line, a table when it is complete. Emphasis, a link or a formula waits until it closes or its line ends, code or a tag until it closes or its paragraph ends. Printed text is never redrawn, so that the scrollback holds what you saw. Code is not wrapped, so that it can be copied. A word that is longer than a line, such as a long URL, is left to the terminal to wrap, so that it can be copied and clicked; a URL in a table is never broken either.

On terminals known to support clickable links, links are clickable. If the text of a link looks like the address of another host, the host that it opens follows in parentheses. On other terminals the URL does.

In a pipe or a file the text passes through unchanged, apart from a final newline if it has none. The same holds with --raw and with TERM=dumb; there, control characters are still made visible.

Without color (NO_COLOR, --no-color or the theme none) the layout stays, and marks such as ##, ** and code fences are shown.

The theme uses the 16 colors of the terminal. It suits a dark background, unless COLORFGBG says that the background is light, or the setting theme says so: syn config set theme light. The interactive chat also asks the terminal for its background.`

const dialect = `Markdown is read as CommonMark and GitHub Flavored Markdown define it, with these differences:`

const differences = {
  'Line breaks':
    'Each line of the answer starts a new line, and a backslash at its end is text. Emphasis and links end with their line; ' +
    'code and tags do not.',
  'Shown as written':
    'Formulas ($...$, \\(...\\), $$...$$, \\[...\\), HTML except <br>, footnotes, link definitions, and tables without a ' +
    'leading |.',
  Formulas:
    'At the start of a line, $$ or \\[ without its end begins a formula of several lines only alone or before TeX.',
  Emphasis:
    'Stars of expressions, paths and patterns are text: between letters or digits (2**8), after a slash unless a letter or ' +
    'digit follows (src/*.ts), a single one before a slash, an extension, a separator or a closing bracket (*.log), alone in ' +
    'brackets or quotes (COUNT(*)), and two that follow a dot (.*name.*). A name such as __init__ is not bold. Chinese, ' +
    'Japanese and Korean need no spaces around emphasis.',
  Strikethrough:
    'One tilde strikes out as two do, if it stands before a word that begins with a letter: ~gone~, not ~2000.',
  Code: 'A code block in a list ends at its closing fence, however its lines are indented. A fence ends an HTML block.',
  Lists: 'Numbers may be skipped.',
}

const messagesApi = `--api messages sends the request to the API of syn messages, with the fields of that API: its sampling fields, its tools and --stop-sequences. The conversation is the same, and -c can continue it in either.

Reasoning is shown and kept, but not sent back with the next message. The exception is thinking that led to a tool use: the messages API requires it, and only that API gets it.`

const text: PageText = {
  statuses: {
    ...toolStatuses,
    failed:
      'Failure: the service rejected the request, a file could not be written, --extract found no code block, the ' +
      'answer does not match its --schema, or a server of tools did not start.',
  },
  sections: [
    section('PROMPT', prompt),
    section('MODEL', model),
    section('OUTPUT', output),
    section('TOOLS', tools),
    section('SCRIPTS AND EDITORS', scripts),
    section('CONVERSATIONS', conversations),
    section('INTERACTIVE CHAT', interactive),
    section('SLASH COMMANDS', slash, slashCommandList(), numbers, compacted, prompts, undone),
    section(
      'KEYS',
      keys,
      definitions('Li', Object.fromEntries(keyHelp.map(({ keys, help }) => [keys, help]))),
      editing,
    ),
    section('MARKDOWN', markdown, dialect, definitions('Li', differences)),
    section('MESSAGES API', messagesApi),
  ],
  seeAlso: ['syn-messages', 'syn-sessions', 'syn-tools'],
}

export default text

function slashCommandList(): Section {
  return definitions('Li', Object.fromEntries(slashCommands.map((command) => [usageOf(command), command.help])))
}

/** `/? for /help, and /q for /exit` */
function aliasText(): string {
  const texts = slashCommands.flatMap(({ name, aliases = [] }) => aliases.map((alias) => `/${alias} for /${name}`))
  return new Intl.ListFormat('en').format(texts)
}
