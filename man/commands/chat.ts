import { slashCommands } from '../../src/chat/slash-commands/registry.ts'
import { usageOf } from '../../src/chat/slash-commands/slash-command.ts'
import { keyHelp } from '../../src/terminal/line-editor/keymap.ts'
import type { PageText } from '../command-page.ts'
import { toolStatuses } from '../exit-statuses.ts'
import { definitions, section, type Section } from '../mdoc.ts'

const prompt = `The prompt is made of the words on the command line, then the text files of --file, each under its name, then stdin if it is a pipe, a file or a socket, with blank lines between them:

  $ cat notes.txt
  The meeting is on Tuesday. Bring the figures.
  $ syn chat --sandbox "Summarize" < notes.txt | head -n 3
  ## You wrote

  > Summarize The meeting is on Tuesday. Bring the figures.

A dash among the words reads stdin explicitly. --no-stdin never reads it, which a while read loop needs. A pipe is read until it is closed; while nothing arrives, a warning says so after 2, 10 and 60 seconds. A socket on which nothing arrives within a second is ignored if there is another part of the prompt.

If stdin or a file of --file is empty or blank beside a prompt, the prompt is sent with a notice, of a pipe also with -q; /dev/null and a closed stdin give none. To send nothing then, test first: test -s FILE && syn chat -f FILE "Summarize".

A file that is no text, such as a PDF, needs a reader, a command for its extension; see syn-config(1). If it prints pages, report.pdf#3 is the third. --file https://example.com/page and /file send a web page, by the reader for html if there is one, without the key; redirects are shown.

--from sends what files say about the prompt: all of them if they are short, else the parts nearest to it and the message before it, as in syn-similar(1), up to 8,000 tokens and a quarter of the context. Later questions embed only what changed. The answer is asked to name places, as in [docs/keys.md:12]; a notice tells which were not sent; not with --schema, --json-object or -x. The next message gets the parts again, older ones do not.

-t takes a prompt from the command line, a file or syn prompts; see syn-prompts(1). --messages puts a conversation before the prompt, such as one that syn sessions export wrote. Two dashes end the options:

  syn chat -- "-1 + 2?"`

const model = `The model is the first of these that is set: -m, SYN_MODEL, the model that answered last in the conversation, the setting model. Otherwise it is the alias syn:large:text, or syn:large:vision for images that this one cannot read. A model that takes no images is refused before a conversation with images is sent. See MODELS in syn(1).`

const interactive = `With a terminal for input and output, and without a prompt, a file or an image, syn chat opens an interactive chat:

  $ syn chat --sandbox
  syn:large:text · /help for commands, Ctrl-D to exit
  ›

Enter sends a message, Alt-Enter or Shift-Enter starts a new line in it, Esc stops the answer. @PATH in a message attaches a file or an image, /model changes the model, /load continues an earlier conversation, Ctrl-D leaves. Options such as -m, -s and --temperature apply to the whole chat. syn chat -c continues the latest conversation, --session NAME another one. After a ten-minute pause, the time stands above a message; /show has all times.

While an answer arrives, Enter queues the next message, which is sent when the answer ends; ${atOnceText()} run at once. If the answer fails or is stopped, queued messages are not sent: the first one returns to the line, Up brings the others. An error does not end the chat: /retry sends the message again. On a terminal with fewer than 8 rows or 20 columns, and with TERM=dumb or accessible, the line is shown when the answer ends.

In "What does @src/main.ts do?" the words are sent as typed, followed by the text of the file; a notice names each file with its size. Tab completes the path: files below the working directory, without hidden ones, those that .gitignore excludes, and names of private keys; after @../, @~/, @./ and @/, others too. A path with spaces is in quotes: @"my file.txt". @a.ts:10-20, @a.ts:10 and @a.ts#L10-L20 attach these lines only, as with --file and /file, unless a file has that name. If there is no such file, the @ stays text, with a notice for what looks like a path. A name that is pasted with its @ is text until it is typed or taken from the list. A file that cannot be read is refused: the message returns to the line.

/from PATH is --from for each message. /image and /file attach for the next message that is answered; the prompt shows [photo.png +2] for three. /image clipboard and -i clipboard take a copied image. If a message is nothing but the paths of existing files, as terminals paste them for dropped files, syn asks whether to attach them: y attaches, n sends the paths as text, any other letter returns them to the line. /image "" takes the images of earlier messages out of what is sent, too; /show has them.

The row above the prompt shows the model, the share of its context that the conversation takes, tokens and cost of the conversation, and what is left of the quota; during an answer, the time and about how many tokens have arrived:

  syn:large:text · 4% of 8k context · 350 tokens · 489.2 of 500 requests left
  esc stops · 12 s · ≈340 tokens

For this row syn asks the service for the model list and the quota, at most once a minute. syn config set status false turns the row and these requests off, --quiet does for one chat.

The setting accessible is for screen readers: nothing is drawn again, answers come by the paragraph and end with a bell, Tab names what fits, and a word with Enter answers a question.

Old messages are never dropped silently; /compact shortens the conversation.`

const editing = `Other keys that move and delete are those of a shell in emacs mode, such as Ctrl-A, Ctrl-E, Alt-B, Alt-F, Ctrl-W, Ctrl-U, Ctrl-K and Ctrl-Y; Ctrl-Home and Ctrl-End go to the start and end of the text.

Esc closes a list or ends a search first; then it stops the answer. Twice, it clears a line with text, and on an empty one edits the last message. Ctrl-C clears a line with text, else stops the answer; twice on an empty line, it exits. Up brings back what was cleared. On an empty line, Up takes back the last queued message. Up, Down and Ctrl-R also reach the messages of earlier chats.

Pasted text stays one message, however many lines it has. Where a terminal does not mark pastes, lines that arrive at once count as pasted, and a line end after them sends them.`

const slash = `A slash, the name of a command, and a space or the end of the line make a command. While you type, a list below the line shows what fits; letters match in their order, so that /rtr finds /retry. Tab takes the candidate that the arrow keys have chosen, or the first one; Enter takes one only after an arrow key. Other text that starts with a slash, such as /usr/bin/foo is broken, is a message; //TEXT sends any. A word alone that is no command, and what looks like a typo of one, is refused. A command that is refused or fails is not in the line again; Up finds it. Aliases are ${aliasText()}.`

const numbers = `Messages have numbers from 1, and their answers the same ones: Tab after /show, /edit and /copy lists them. /edit N, or Esc twice on an empty line for the last message, puts it into the line with what was attached to it. Enter sends the line in place of that message and what followed; Ctrl-C, Esc twice, or Enter on an empty line ends the edit. /undo brings back what an edit replaced. Nothing that /undo, /edit and /retry replace is lost: syn sessions show --all prints it.

/copy uses the buffer of tmux, else wl-copy, xclip, xsel or pbcopy, unless the session is one of SSH, else OSC 52, which the terminal may not allow.

/compact asks the model for a summary, which is sent in place of the messages before it. The system prompt stays; attached files and images are not sent again. If the summary fails, is cut off, or is more than half as long as what it replaces, nothing changes. A conversation that is too long for a request is summarized in parts. /undo brings the messages back, and /save writes all of them.

Each prompt that syn prompts stored is a command too: /review --focus=races @src/pool.ts fills {{focus}}, and the rest is {{.}}, or follows the text. A value with spaces needs quotes; -- ends the values. The fields of the prompt hold for this message, over /set, /model and /system, but under the options of the command line.

With -T, the question before a tool runs stands above the line, and one key answers it. The chat starts without a server that fails or that Esc does not wait for: /tools says why, and /tools NAME tries again, offers one more tool, or asks again about one that you answered with a. Esc ends the turn, and no call without a result is sent again.`

const conversations = `A chat on a terminal is saved as a conversation, in a file that only you can read. In a pipe it is saved only with -c, --session or --save. --no-save turns that off for one run, the setting save for chats without these options.

-c continues the latest conversation with the same service. --session NAME continues the one of that name, or starts it:

  $ syn chat --sandbox --session meeting "Say hello in three languages" > answer.txt
  syn: starting a new conversation "meeting"
  $ syn chat --sandbox -c "What did I say before?" | sed -n 5p
  - 2 messages came before, the first one: “Say hello in three languages”.

Each base URL is a service, by its scheme, host and port, and so is the sandbox. A conversation belongs to the profile that it was held with, and without a record, as with SYN_API_KEY, to the default one: -c refuses the latest of another profile with status 2. --session and /load continue any conversation, with a warning.

All earlier messages and answers are sent, then those of --messages. A system prompt of --system applies until another one is given; all other fields apply to one run.

An answer is saved while it arrives. If it is cut short, even by a killed process, the part received is kept and sent with the next message. While another syn process is answering in the conversation, a message waits for the end, at most for --timeout. syn chat -c without a prompt sends a message without an answer again; a new prompt replaces it, with a notice. syn sessions lists, shows, searches, exports, renames and removes conversations.`

const output = `On a terminal the answer appears as it is generated, the reasoning first, dimmed, on stderr. In a pipe or a file only the answer is written. --json prints the service's whole answer as one JSON document, --jsonl its chunks as they arrive, --extract the first code block:

  $ syn chat --sandbox --json "Say hello in three languages" | jq -c .usage.prompt_tokens
  8

--output FILE replaces the file when the answer is complete. If it is cut short, the part received is kept in FILE.partial. A blank answer is asked for once more, unless --retries is 0. An answer that is empty or reached its token limit, or with fewer choices than --n, is not complete: with --output, --extract and --schema it returns status 7, unless --allow-cut takes it; chunks of --jsonl are not judged. On stdout without these options it returns 0 with a notice.

--schema asks for JSON of a given shape and checks the answer. In a pipe or a file, the JSON alone is written, once it is checked. If it does not match, the exit status is 1, and the whole answer goes to stderr, with --output to FILE.partial. --repair N sends it back with what does not match, up to N times; one time mostly suffices. Each is a request that is paid, with a longer prompt:

  $ cat person.json
  {"type":"object","required":["name","age"],
   "properties":{"name":{"type":"string"},"age":{"type":"integer","minimum":18}}}
  $ syn chat --sandbox --schema person.json "Invent a person" | jq -c .
  {"name":"Ada Lovelace","age":18}

-u prints tokens, time, the cost if the model list has prices, and the requests that are left. "18 prompt (17 cached)" are 18 prompt tokens, 17 of them from the cache of the service. For -u, --json and the interactive chat, the request has stream_options.include_usage; --stream-options replaces it.

--max-cost 0.50 stops with exit status 8 before the requests of this run, such as those after tool calls, have cost more than 50 cents, by the prices of syn models. With --max-tokens the amount is exceeded at most by what prompts were estimated too low; without it, by what an answer exceeds the average, the first one by all its cost. In the interactive chat, all requests since its start count. syn chat -c with a higher amount continues.

--reasoning-effort takes what the model's entry in the list says, see syn models; without such an entry, low, medium or high. -p reasoning_effort=VALUE sends any value.

--dry-run prints the request body, which --body accepts. --curl prints a curl command in which the API key is $SYN_API_KEY. Neither sends a request.

Several answers of --n are printed in order: on a terminal each under a heading, elsewhere with a blank line between them. The first one is used when the conversation continues. --json has the numbers of --logprobs.`

const tools = `With -T and --allow, syn runs tools that the model calls: commands and servers of tools.json, and search, the web search of the service; see syn-tools(1). The results are sent to the model, until an answer calls nothing, or --max-steps requests were sent.

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

NAME is a tool, a server for all its tools, SERVER/TOOL, or search. Nothing else is started or offered. --tools-file alone is an error, except in the interactive chat.

-T asks before each call and shows its arguments: y runs the call, n, Enter, Esc and any other letter refuse it, arrows, digits and signs show it again, a runs it and asks no more about this tool until syn ends or the conversation changes. The words yes, no and always count too, and Ctrl-C ends the run. Keys count only once the colon of the question appears, so that earlier typing answers nothing. If the arguments do not fit on the screen, v shows all of them. If syn reads a pipe or file on stdin, it asks on the terminal of stderr, in whose foreground it must be. Without a terminal, -T is an error, and only --allow can be used. --allow wins over -T. syn stores no permission.

Calls of one answer run one after the other; stderr has a line about each. In a pipe or a file, stdout has the last answer only; text before a call goes to stderr. -o, -x, --json and --schema apply to the last answer. --jsonl prints the chunks of all answers, and each message with results. -u adds up all requests. If the last request that --max-steps allows calls tools again, or a call was cut off, the status is 7, and nothing is printed to stdout. --dry-run and --curl start the servers, to list their tools.

After a search, a notice names each URL of the answer that no result has: the model may have made it up. --tool-choice tool:NAME holds for the first request. A conversation keeps calls and results; a call without a result, as after a killed run, is never sent again. --tools sends definitions instead, and prints the calls without running them.`

const scripts = `A loop that reads lines needs --no-stdin, as syn would read the lines that are left. For many lines, see syn-batch(1); for cron and services, OPERATORS in syn(1).

  while IFS= read -r line; do
    syn chat --no-stdin -q "Translate to French: $line" || exit
  done < lines.txt

In Vim, this replaces the buffer, or with a range in place of % its lines, by the code block of the answer. If syn fails, the text is empty: u brings it back.

  :%!syn chat -x "Add comments to this code" 2>/dev/null`

const markdown = `On a terminal, Markdown in an answer (CommonMark and GitHub Flavored Markdown) is laid out as it arrives:

  $ syn chat --sandbox "A table of three languages with their year"
  Bash, Python and Rust

  ┌──────────┬───────┬─────────────────────────────┐
  │ Language │ Since │ Run it with                 │
  ├──────────┼───────┼─────────────────────────────┤
  │ Bash     │  1989 │ bash answer.sh              │
  │ Python   │  1991 │ python3 answer.py           │
  │ Rust     │  2012 │ rustc answer.rs && ./answer │
  └──────────┴───────┴─────────────────────────────┘

Printed text is never redrawn, so that the scrollback holds what you saw: prose appears by the word, code by the line, a table when complete. Each line of the answer starts a new line. Simple formulas are shown in Unicode, HTML and footnotes as written. Code and long URLs are not broken, so they can be copied. The URL of a link follows its text in parentheses.

In a pipe or a file the text passes through unchanged, apart from a final newline if it has none; so it does with --raw and TERM=dumb, but for control characters. Without color (NO_COLOR, --no-color or the theme none) the layout stays, and marks such as ##, ** and code fences are shown. The theme suits a dark background unless the terminal or COLORFGBG says that it is light, or syn config set theme light does.`

const messagesApi = `--api messages sends the request to the API of syn messages, with its fields, its tools and --stop-sequences. The conversation is the same, and -c can continue it in either. Reasoning is shown and kept, but sent back only with the tool calls that it led to, and only to the API that produced it; that of the chat API only to its service.`

const text: PageText = {
  statuses: {
    ...toolStatuses,
    failed:
      'Failure: the service rejected the request, a file could not be written, --extract found no code block, the ' +
      'answer does not match its --schema, or a server of tools did not start.',
  },
  sections: [
    section('INTERACTIVE CHAT', interactive),
    section('KEYS', definitions('Li', Object.fromEntries(keyHelp.map(({ keys, help }) => [keys, help]))), editing),
    section('SLASH COMMANDS', slash, slashCommandList(), numbers),
    section('CONVERSATIONS', conversations),
    section('PROMPT', prompt),
    section('MODEL', model),
    section('OUTPUT', output),
    section('TOOLS', tools),
    section('SCRIPTS AND EDITORS', scripts),
    section('MARKDOWN', markdown),
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

/** `/quota and /usage` */
function atOnceText(): string {
  const names = slashCommands.filter((command) => command.runsAtOnce).map(({ name }) => `/${name}`)
  return new Intl.ListFormat('en-US').format(names)
}
