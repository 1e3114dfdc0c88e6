import type { PageText } from '../command-page.ts'
import { toolsFilePath } from '../environment.ts'
import { requestStatuses } from '../exit-statuses.ts'
import { definitions, section } from '../mdoc.ts'

const format = `The file is a JSON object. Its tools are commands, by name, which has at most 64 letters, digits, - and _:

  $ cat forecast.json
  {
    "tools": {
      "forecast": {
        "description": "Forecast for a city",
        "parameters": {
          "type": "object",
          "properties": {
            "city": { "type": "string" },
            "days": { "type": "integer", "minimum": 1 }
          },
          "required": ["city"]
        },
        "command": ["echo", "Sunny in {{city}},", "for {{days}} days"]
      }
    }
  }
  $ syn tools list --tools-file forecast.json
  forecast	command		Forecast for a city
  search	search		The web search of the service
  $ syn tools run --tools-file forecast.json forecast '{"city":"Oslo","days":2}'
  Sunny in Oslo, for 2 days
  $ syn tools run --tools-file forecast.json forecast '{"city":"Oslo"}'
  Sunny in Oslo,
  $ syn tools run --tools-file forecast.json forecast '{"days":2}'
  syn: ARGUMENTS: $ must have required property 'city'`

const commandKeys = {
  command: 'The program and its arguments. No shell reads them.',
  description: 'What the model reads about the tool.',
  parameters:
    'A JSON schema of the arguments, with type object (default: no arguments). Every call is checked against it. Where the command names an absent one, its default stands for it.',
  env: 'Variables for the program, as an object. ${NAME} in a value stands for a variable of syn, as does ${env:NAME}, and ${NAME:-TEXT} for TEXT if it is not set or empty. A value that is $NAME, or ends in a blank and $NAME, is refused.',
  timeout: 'The most seconds that a call may take (default: 60).',
}

const servers = `mcpServers has the servers, by name, in the format of other clients of the Model Context Protocol. Keys that are not listed here are ignored:

  {
    "mcpServers": {
      "files": {
        "command": "npx",
        "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/notes"]
      },
      "docs": {
        "url": "https://mcp.example.com/mcp",
        "headers": { "Authorization": "Bearer \${DOCS_TOKEN}" }
      }
    }
  }`

const serverKeys = {
  'command, args':
    'The program that is the server, and its arguments. It is started when one of its tools is named, talks over stdin and stdout, and ends with the run.',
  cwd: 'The working directory of the program (default: your home directory, as npx and others run what they find in the working directory).',
  'url, headers':
    'A server that is reached by streamable HTTP. Its headers go to its own origin only: a redirect to another one is an error. No proxy is used. With headers, or ${NAME} in url, the URL must begin with https, or be one of this machine: localhost, 127.0.0.0/8 or ::1.',
  allowHttp:
    'true: send headers and variables unencrypted to another machine, too. A name below localhost counts as another machine, as it is looked up.',
  env: 'Variables for the program. ${NAME} in a value of env and headers, and in url, stands for a variable of syn, as in the env of a tool.',
  timeout:
    'The most seconds that a call may take, and that the start and the list of the tools may take together (default: 60).',
}

const serverTools = `SERVER/TOOL names one tool of a server, and SERVER all of them. For the model, their names are SERVER__TOOL: characters other than letters, digits, - and _ become _, and the end of a name is cut off after 64 characters. Two tools whose names are the same then cannot be used together. A notice names tools that are left out for their name or schema.

The first 2,000 characters of a server's instructions, which syn tools list SERVER shows, go to the model before the system prompt, as text of the server. When a server changes its list, the next request has it: a tool that was added or has changed is asked about even with --allow, and not run where nobody can be asked.

A server may send at most 16 MiB for one call, stderr included. Of its results, texts are used, and images if the model takes them by syn models: a request has the latest 5 MiB. Other data is left out, with a note. Of an error, a person sees the first line, and with --debug the rest. A server that has ended is started again by the next call. Resources, prompts, sampling and logins by OAuth are not supported.`

const words = `The command gets the arguments as JSON on stdin, and {{name}} in a word stands for one of them, as in the templates of syn batch. If an argument is absent or null, its word is left out if it is the last one, an option such as --city={{city}} or -o{{file}}, or begins with a name as in if={{file}} and does not follow an option. In any other word, a parameter that may be absent is an error of the file, as the words after it would move: make it required, or give it a default. In a URL, which is what follows ://, the value is percent-encoded. A value at the start of a word that begins with - or @ is refused, since the program could take it for an option or for a file; numbers are not. --city={{city}} takes any value. {{"{{"}} stands for two braces.

What the command prints is the result. If it fails, its exit status and the last 4,000 characters of its stderr follow. For a person, an error has the last line only; --debug shows the rest, and the stderr of a command that succeeds. A result is cut off after 50,000 characters, and the API key is masked in it. A command that prints more than 16 MiB, stderr included, is killed. When the command exits, what it left running is killed.`

const environment = `Only these variables are passed on: PATH, HOME, LANG, LC_*, USER, LOGNAME, SHELL, TERM, TMPDIR, TZ, XDG_*, and what env names. Servers also get those for proxies and certificates: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY in upper or lower case, SSL_CERT_FILE, SSL_CERT_DIR, NODE_EXTRA_CA_CERTS, CURL_CA_BUNDLE and REQUESTS_CA_BUNDLE. SYN_API_KEY and all others whose name begins with SYN_ cannot be named: a tool that runs syn needs a stored key, as syn login stores it.`

const trust = `syn starts nothing that -T or --allow of syn chat and syn messages does not name, or that you run yourself with syn tools run. The file is that of the config directory, which is refused if other users can change it, or of --tools-file, never one of the working directory. A tool runs as you, with all that you may do: let the model call without asking only what can do no harm with any arguments. A command and a server are killed with all processes that they started when the run ends. Only a process that starts a session of its own is left.`

const text: PageText = {
  statuses: {
    ...requestStatuses,
    failed:
      'A call failed: the exit status of the command is not 0, its time was over, or the server or the search reports an error. A server does not start.',
    usage:
      'Usage error or invalid input: an unknown name, an invalid file, or arguments that the tool does not accept.',
  },
  sections: [
    section('FILE FORMAT', format, 'The keys of a tool are:', definitions('Li', commandKeys), words),
    section('SERVERS', servers, 'The keys of a server are:', definitions('Li', serverKeys), serverTools),
    section('ENVIRONMENT OF TOOLS', environment),
    section('SECURITY', trust),
    section('STORED FILES', definitions('Pa', { [toolsFilePath]: 'The tools and servers.' })),
  ],
  seeAlso: ['syn-batch', 'syn-chat', 'syn-messages', 'syn-search'],
}

export default text
