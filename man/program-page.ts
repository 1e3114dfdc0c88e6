/** syn(1): the options, files and statuses common to all commands. */

import type { CommandEntry, Example } from '../src/command.ts'
import { globalOptions, helpOption, programOptions } from '../src/fields/global-options.ts'
import { jsonHelp } from '../src/fields/kinds.ts'
import { environment, files } from './environment.ts'
import { allStatuses, statusItems } from './exit-statuses.ts'
import { prose } from './macros.ts'
import { platformLists } from './platforms.ts'
import {
  definitions,
  exampleSubsection,
  flagList,
  list,
  page,
  referenceSection,
  section,
  type Edition,
} from './mdoc.ts'

const description = `syn sends requests to one hosted inference API and prints the answers: chat, completions, embeddings, models, quota. syn "QUESTION" is short for syn chat "QUESTION": text with a space.

The answer goes to stdout, and nothing else does. Notices, reasoning, usage and errors go to stderr. Off a terminal the answer is plain text without color, and syn asks no question, but before a tool runs. --color=always, as in syn --color=always QUESTION | less -R, lays it out as on a terminal.

Options named like a field of the API set that field. A field that is not set is not sent. A flag overrides --param, which overrides --body.
${jsonHelp}
--file and --image take one path each and may be repeated. A pattern in quotes, such as -f '*.txt', stands for all files that match it; * and ? are wildcards in the last part of the path.

--sandbox answers any command from a built-in offline stand-in, without an account. See syn-sandbox(1).`

const login = `syn login stores the base URL of the service and an API key as the profile default, or as another one with --profile. The profile in use is that of --profile, else SYN_PROFILE, else the setting profile, else default. SYN_BASE_URL and SYN_API_KEY work without a login. See syn-login(1) for keys, and syn-config(1) for all settings.`

const models = `A model is hf:NAME or an alias: syn:large:text, syn:small:text, syn:large:vision or syn:small:vision. The service removes models and adds others; an alias always points to a current one. A request for a removed model fails with status 4 and a hint that lists the current ones.

With --fallback, or with the setting fallback, syn asks the alias of the same category instead, once, with a notice. --fallback=hf:NAME, repeatable, asks these models in this order. The = is needed: a model as the next word is refused. They are also asked if a model is overloaded: when the retries of a 429 for the rate, a 502, 503 or 529 are used up. They are not asked if the quota is used up, after any other failure, or once a part of the answer has arrived. If none answers, the error is that of the last one.`

const retries = `The HTTP statuses 408, 425, 429, 500, 502, 503, 504, 520, 524 and 529 and lost connections are retried up to --retries times. The wait is the Retry-After of the reply, or after a 429 its x-ratelimit-reset or RetryInfo, if that is at least 0.5 seconds, or else 0.5 seconds, doubled each time; a notice says how long. All waits for one request are at most --timeout, by default 300 seconds, or an hour with --timeout 0: before a longer one syn gives up, with a hint that names the time. Timeouts, replies that are not valid HTTP, a used-up quota, and requests whose answer has begun are not retried.

--timeout limits the time without data, not the whole run: an answer may take as long as it keeps arriving.

With --on-limit wait, or with the setting on-limit if stderr is a terminal, chat, messages, complete and embed wait for a used-up quota instead of failing with status 5. A notice says until when, and syn asks again then:

  syn chat --on-limit wait --max-wait 12h "Summarize" < notes.txt

After --max-wait (default: six hours), or if the service names a later time, the status is 5. Esc ends the wait in the interactive chat. Credit that has to be bought is not waited for. syn batch has rules of its own, see syn-batch(1).

A service may refuse a chat with 502 while syn batch uses all requests that it takes at a time: the chat is retried as above, and its hint names the batch.`

const sent = `A command sends one kind of request to the base URL: the prompt, files and images that you name, the fields that you set, and the API key in a header. Some first fetch the list of models or the quota. Nothing is sent anywhere else, and syn collects no usage data. syn connects while it reads input or you type, but sends nothing before the request is complete.

The input of one request is at most 64 MiB, images in base64 included, and JSON at most 500 levels deep. Beyond it syn exits with status 2.

Chats on a terminal are saved on this machine, see syn-sessions(1); --no-save or the setting save turns that off. In a pipe nothing is saved unless -c, --session or --save asks for it. syn similar and syn chat --from keep embeddings, and hashes of their texts, unless the setting save is false.

The API key, if it has 8 or more characters, is masked in all that syn writes itself: errors, notices, the log of --debug, stored errors, and the results of tools before a model gets them. It is recognized as it is and as JSON writes it, but not in another spelling such as base64. What the service answers and what you send is not searched. --curl prints $SYN_API_KEY in its place.

On a terminal, control characters and characters that change the direction of text are made visible, so that no text can move the cursor, set the title or write to the clipboard. Off a terminal the bytes pass through unchanged.`

const operators = `System users and containers: syn needs no home directory if SYN_BASE_URL and SYN_API_KEY are set. With a HOME that does not exist or cannot be read or written, such as /nonexistent, or none, as with docker run --user 12345, nothing is cached or saved; a named profile, --save, -c and --session are errors. Without settings that may be there, a notice says so. --no-stdin or < /dev/null keeps syn from waiting for an open stdin.

One config for all users: with XDG_CONFIG_HOME=/etc, syn reads /etc/syn/config.json. It has no key but a key-command, or the key comes from SYN_API_KEY. syn writes it for root alone: chmod 755 /etc/syn and chmod 644 the file each time. A config file of a user other than root, or that others can change, is refused with status 2.

A job of cron runs in the home directory with a short PATH and an empty stdin. The key is that of syn login if HOME is yours; a key command must not need a terminal or an unlocked keyring. A % is written \\%. With -q and -o a success prints nothing, so that cron mails only warnings and errors:

  PATH=/usr/local/bin:/usr/bin:/bin
  5 6 * * * syn chat -q --no-stdin -f app.log -o report.md "Sum up the errors" || echo "status $?"

A service of systemd gets the key as a credential, which only its process can read:

  [Service]
  User=reports
  WorkingDirectory=/srv/reports
  Environment=HOME=/nonexistent SYN_BASE_URL=https://api.example.com
  LoadCredential=syn-key:/etc/syn/key
  ExecStart=/bin/sh -c 'SYN_API_KEY=$$(cat %d/syn-key) exec syn chat -q --no-stdin -f app.log -o report.md "Sum up"'

In place of SYN_API_KEY, the profile of the user may have cat "$CREDENTIALS_DIRECTORY/syn-key" as its key-command.

On disk are the directories of STORED FILES, and beside an output file FILE.partial (an incomplete answer), and for syn batch FILE.answers and an errors file. To leave:

  rm -r ~/.config/syn ~/.cache/syn ~/.local/share/syn
  npm uninstall -g syn-cli

syn logout --forget removes one profile only. The key stays valid until the service revokes it.`

const environmentIntroduction =
  'A flag overrides the environment, which overrides the profile in use, which overrides the default. An empty variable ' +
  'counts as not set.'

const filesIntroduction =
  'These are the paths on Linux. Only their owner can read them. For other systems, see WINDOWS AND MACOS.'

const platformIntroduction = 'These pages describe syn on Linux. This is what differs.'

const signals = 'Ended by signal N, such as 130 after Ctrl-C.'

const examples: readonly Example[] = [
  ['Try it without an account or a network', 'syn chat --sandbox "Say hello in three languages"'],
  ['Log in once, then ask', 'syn login\nsyn chat "What is a monad?"'],
  ['Ask about a text', 'syn chat "Summarize" < notes.txt'],
]

export function programPage(commands: readonly CommandEntry[], edition: Edition): string {
  const summaries = commands.flatMap(({ name, summary }) => [`.It Xr syn-${name} 1`, `${prose(summary)}.`])
  return page('syn', 'a terminal client for one hosted model-inference API', edition, [
    ['.Sh SYNOPSIS', '.Nm syn', '.Op Ar options', '.Ar command', '.Op Ar arguments', '.Nm syn', '.Ar question'],
    section('DESCRIPTION', description),
    exampleSubsection(examples),
    section('COMMANDS', list(summaries)),
    section(
      'OPTIONS',
      'Every command accepts these, before or after its name. A flag that needs no value also takes =true and =false.',
      flagList({ ...globalOptions, ...helpOption, ...programOptions }),
    ),
    section('EXIT STATUS', list([...statusItems(allStatuses), '.It 128+N', prose(signals)])),
    section('ACCOUNTS AND PROFILES', login),
    section('MODELS', models),
    section('RETRIES AND TIMEOUTS', retries),
    section('WHAT IS SENT AND STORED', sent),
    section('OPERATORS', operators),
    section('ENVIRONMENT VARIABLES', environmentIntroduction, definitions('Ev', environment())),
    section('STORED FILES', filesIntroduction, definitions('Pa', files)),
    section('WINDOWS AND MACOS', platformIntroduction, platformLists()),
    referenceSection(commands.map(({ name }) => `syn-${name}`)),
  ])
}
