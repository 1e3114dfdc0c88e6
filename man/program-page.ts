/** syn(1): the options, files and statuses common to all commands. */

import type { CommandEntry, Example } from '../src/command.ts'
import { globalOptions, helpOption, programOptions } from '../src/fields/global-options.ts'
import { jsonHelp } from '../src/fields/kinds.ts'
import { environment, files } from './environment.ts'
import { allStatuses, statusItems } from './exit-statuses.ts'
import { prose } from './macros.ts'
import { platformLists } from './platforms.ts'
import { definitions, exampleSection, flagList, list, page, referenceSection, section, type Edition } from './mdoc.ts'

const description = `syn sends requests to one hosted inference API and prints the answers: chat, completions, embeddings, models, quota.

syn "QUESTION" is short for syn chat "QUESTION": text with a space; options may stand before and after it. Standard input is added as in syn chat.

The answer goes to stdout, and nothing else does. Notices, reasoning, usage and errors go to stderr.
Off a terminal the answer is plain text without color, and syn never asks a question. With --color=always on the command line, as in syn --color=always QUESTION | less -R, it is laid out as on a terminal.

Options named like a field of the API set that field. A field that is not set is not sent.
Where several sources set one field, a flag overrides --param, which overrides --body.
${jsonHelp}
The flags --file and --image take one path each and may be repeated. A pattern in quotes, such as -f '*.txt', stands for all files that match it; * and ? are wildcards in the last part of the path.

--sandbox answers any command from an embedded offline stand-in, without an account and without a network. See syn-sandbox(1).`

const login = `syn login stores the base URL of the service and an API key as the profile default, or as another one with --profile. The settings of a profile apply whenever it is in use: --profile, else SYN_PROFILE, else the setting profile, else default.
SYN_BASE_URL and SYN_API_KEY work without a login. See syn-login(1) for base URLs, for key commands and for how a key is protected, and syn-config(1) for all settings.`

const models = `A model is given as hf:NAME or as an alias: syn:large:text, syn:small:text, syn:large:vision or syn:small:vision.
Models rotate: the service removes some and adds others. An alias always points to a current model.
A request for a removed model fails with status 4 and a hint that lists the current ones. With --fallback, or with the setting fallback, syn asks the alias of the same category once instead, and says so.
--fallback=hf:NAME asks that model instead; repeated, it gives several, which are asked in this order, each once. The = is needed: the next word is part of the prompt, and refused if it is the name of a model.
Another model is also asked if a model is overloaded: when the retries of a status 429 for the rate, 502, 503 or 529 are used up, and at once with --retries 0. It is not asked if the quota is used up, which holds for the whole account, after any other failure, or once a part of the answer has arrived. The notice and the recorded conversation name the model that answers; the conversation goes on with it, and the cost is that of its prices. If none answers, the error is that of the last one.`

const retries = `These failures are retried up to --retries times: the HTTP statuses 408, 429, 500, 502, 503, 504, 524 and 529, and lost connections.
The wait is the Retry-After of the reply, or else 0.5 seconds, doubled each time. A notice says how long it is.
All waits for one request together are at most --timeout, by default 300 seconds, and an hour with --timeout 0. Before a longer one syn gives up at once, with the exit status of the failure and a hint that names the time.
Timeouts, replies that are not valid HTTP, a used-up quota, and requests whose answer was already delivered in part are not retried.

With --on-limit wait, or with the setting on-limit if stderr is a terminal, chat, messages, complete and embed wait for a used-up quota instead of failing with status 5. A terminal shows what comes back, when, and how long that is; elsewhere a line says it at the start and once an hour. At that time syn asks for the quota, which is free, and sends the request again if enough is left:

  syn chat --on-limit wait --max-wait 12h "Summarize" < notes.txt

--max-wait limits the wait for an answer, by default to six hours. If it ends, or if the service names a later time, the status is 5. In the interactive chat, Esc ends the wait, and the message returns to the line. Credit that has to be bought is not waited for, unless the quota says when something comes back. syn batch has rules of its own, see syn-batch(1).

A service may refuse a chat with 502 while syn batch uses all requests that it takes at a time: the chat is retried as above, and its hint names the batch.

--timeout limits the time without data, not the whole run: an answer may take as long as it keeps arriving.`

const sent = `Each command sends one kind of request to the base URL: the prompt, files and images that you name, the fields that you set, and the API key in a header. Some first fetch the list of models or the quota. Nothing is sent anywhere else, and syn collects no usage data.

To answer sooner, syn connects to the service while it reads files and standard input, and in the chat when you begin to type a message, but not through a proxy. Nothing but the TLS handshake is sent before the request is complete.

The input of one request is at most 64 MiB in all, images in base64 included, and JSON at most 500 levels deep. Beyond it syn exits with status 2 before anything is sent.

Chats on a terminal are saved on this machine, as syn-sessions(1) describes; --no-save or the setting save turns that off. In a pipe nothing is saved unless -c, --session or --save asks for it. syn similar and syn embed --cache keep embeddings, and hashes of their texts, unless the setting save is false.

The API key, if it has 8 or more characters, is masked in all that syn writes itself: errors, notices, the log of --debug, the errors that are stored in conversations and by syn batch, and the results of tools, before a model gets them. This holds also where the service repeats the key there, as it is or as JSON writes it; if it is cut off, 12 characters count as the key, unless a longer word begins with them. In any other spelling, such as base64, it is not recognized. --curl prints $SYN_API_KEY in its place. What the service answers, and what you type or send, is not searched: an answer that repeats the key is printed and stored as it is, and so is a prompt that contains it.

Control characters, and characters that change the direction of text, are made visible on a terminal in all text: of replies, files, stored conversations and the command line. In JSON they become escapes. So no text can move the cursor, set the title or write to the clipboard. Off a terminal the bytes pass through unchanged.`

const environmentIntroduction =
  'A flag overrides the environment, which overrides the profile in use, which overrides the default. An empty variable ' +
  'counts as not set.'

const filesIntroduction = 'These are the paths on Linux. WINDOWS AND MACOS names the directories on other systems.'

const platformIntroduction =
  'These pages describe syn on Linux. The lists below show what differs. Each item ends with the source files that do it.'

const signals = 'Ended by a signal, such as 130 after Ctrl-C: 128 plus the number of the signal.'

const examples: readonly Example[] = [
  ['Try it without an account or a network', 'syn chat --sandbox "Say hello in three languages"'],
  ['Log in once, then ask', 'syn login\nsyn chat "What is a monad?"'],
  ['Ask about a text', 'syn chat "Summarize" < notes.txt'],
  [
    'Save the code of an answer, or report why there is none',
    'syn chat -x "Count lines in C" > count.c || echo "status $?"',
  ],
  ['List the settings and where each comes from', 'syn config list'],
]

export function programPage(commands: readonly CommandEntry[], edition: Edition): string {
  const summaries = commands.flatMap(({ name, summary }) => [`.It Xr syn-${name} 1`, `${prose(summary)}.`])
  return page('syn', 'a terminal client for one hosted model-inference API', edition, [
    ['.Sh SYNOPSIS', '.Nm syn', '.Op Ar options', '.Ar command', '.Op Ar arguments', '.Nm syn', '.Ar question'],
    section('DESCRIPTION', description),
    section('COMMANDS', list(summaries)),
    section(
      'OPTIONS',
      'Every command accepts these, before or after its name. A flag that needs no value also takes =true and =false.',
      flagList({ ...globalOptions, ...helpOption, ...programOptions }),
    ),
    section('ACCOUNTS AND PROFILES', login),
    section('MODELS', models),
    section('RETRIES AND TIMEOUTS', retries),
    section('WHAT IS SENT AND STORED', sent),
    section('ENVIRONMENT', environmentIntroduction, definitions('Ev', environment())),
    section('FILES', filesIntroduction, definitions('Pa', files)),
    section('WINDOWS AND MACOS', platformIntroduction, platformLists()),
    section(
      'EXIT STATUS',
      'Every command returns one of these exit statuses:',
      list([...statusItems(allStatuses), '.It 128+N', prose(signals)]),
    ),
    exampleSection(examples),
    referenceSection(commands.map(({ name }) => `syn-${name}`)),
  ])
}
