import type { PageText } from '../command-page.ts'
import { requestStatuses } from '../exit-statuses.ts'
import { section } from '../mdoc.ts'

const withoutTerminal = `Without a terminal, syn login needs --base-url, and --with-key or --key-command. To try it, log in to the sandbox:

  $ syn sandbox --port 8790 > sandbox.env &
  $ echo sandbox-key | syn login --base-url http://127.0.0.1:8790 --with-key`

const baseUrl = `The base URL is the origin of the service, with any prefix before the API paths. A trailing /openai/v1, /anthropic/v1 or /v2 is removed.

A base URL that ends in /v1 is for other compatible services, such as http://127.0.0.1:8080/v1 for a llama.cpp server. Requests then go to the paths below it: chat/completions, completions, embeddings, models, messages and messages/count_tokens. syn quota and syn search try their path below /v1, then next to it, and keep what answered.

The key is checked with a request for the quota or, if the service has none, for the model list. Only the quota shows that the key works: some services send the list without one. An empty quota answers any key: the key is then tried with one embedding, which is free. If a check fails, nothing is stored.

A service may lack some endpoints. A command that needs one of them says so, with the URL that it tried, and exits with status 4.`

const key = `The key is stored in the config file, which only you can read. It is sent in a header, to the base URL that it was stored with and to nothing else: not along a redirect, not to another --base-url, not unencrypted to another machine (--allow-http lifts this), and not through a proxy to this machine. This machine is 127.0.0.0/8, ::1, localhost and the names below localhost, to which syn connects here whatever DNS or /etc/hosts say.

With --key-command nothing secret is stored. The command runs once in each run that sends a request. Before it has run, notices and errors leave out what looks like a key. The first non-empty line that it prints is the key. So the key can stay in the keyring of the system or in a password manager. With the Secret Service of a Linux desktop, secret-tool(1) stores and prints it; on macOS the keychain does; elsewhere pass(1):

  $ secret-tool store --label="syn" service syn
  $ syn login --key-command "secret-tool lookup service syn"

  $ security add-generic-password -s syn -a "$USER" -w
  $ syn login --key-command "security find-generic-password -s syn -w"

  $ pass insert syn
  $ syn login --key-command "pass show syn"

SYN_BASE_URL and SYN_API_KEY work without a login, and override the stored values.

--profile stores a second account. To use it, give --profile again, set SYN_PROFILE, or make it the default with syn config set profile.`

const text: PageText = {
  statuses: requestStatuses,
  sections: [section('BASE URL', baseUrl), section('WITHOUT A TERMINAL', withoutTerminal), section('THE KEY', key)],
  seeAlso: ['syn-config', 'syn-logout'],
}

export default text
