import type { PageText } from '../command-page.ts'
import { definitions, section } from '../mdoc.ts'

const use = `--sandbox with a command that sends requests starts the sandbox within that one process. syn sandbox serves it on a port, to try out scripts and other programs:

  $ syn sandbox --port 8790
  export SYN_BASE_URL=http://127.0.0.1:8790
  export SYN_API_KEY=sandbox-key
  syn: sandbox listening on http://127.0.0.1:8790; press Ctrl-C to stop

It listens on loopback only. There are no CORS headers.`

const answers = {
  Prompts:
    'An answer says that no model was used, and repeats the prompt. Hello in some language, a table, a program or a count, as ' +
    'in count to 20, gets a greeting or a table of three languages, a script in Bash, or the numbers in place of that.',
  Schemas:
    'A JSON answer always fits its schema. If the sandbox finds no value, as for most uses of pattern, not and if, it fails with ' +
    'status 400 and says what does not fit.',
  Tools:
    'A tool is called if its name, or a word of it of four letters or more, is in the prompt, or if the request forces a call. ' +
    'Its arguments come from its schema alone, never from the prompt: the first value of an enum, numbers within their bounds, ' +
    'and for a text the word sandbox, or an example of its format. In the chat family, a model that thinks wants its reasoning_content back with the calls: without it, status 400.',
  Models:
    'The models, prices and efforts are those of the service in autumn 2026. hf:zai-org/GLM-4.6 has been removed, to try out --fallback.',
  Efforts:
    'What reasoning_effort can be differs by model, see syn models; another value gets status 400. none turns reasoning ' +
    'off, and low with syn:large:vision.',
  Cache:
    'A prompt that begins with messages that were sent before, to the same model and with the same tools, counts them as cached ' +
    'tokens. In the messages family, a request with cache_control counts the others as written to the cache, which is free.',
  Counts: 'The models behind syn:large:text and syn:large:vision cannot count tokens: status 500.',
  Bodies: 'A body above 10 MiB is cut: status 400.',
  Search: 'syn search finds three invented results.',
}

const limits = {
  '--limit':
    'A request takes 1 of the rolling limit with syn:large:vision, and with others in proportion to their price, such as 0.05 ' +
    'with syn:large:text. A twentieth of the limit comes back each twentieth of --renew. The requests of subscription stay 0, ' +
    'as on current accounts. Beyond the limit, requests get status 429. Embeddings do not count.',
  Credits:
    'Tokens cost what the model list says. Of $24.00 in all, $0.48 comes back about every 202 minutes. Without credit left, requests get status 429.',
  '--concurrent':
    'One request more to the same text model waits in a queue, as at the service. --sandbox has no such limit.',
}

const keys = {
  'sandbox-key': 'An account that has used nothing.',
  'sandbox-key-limited':
    'An account whose rolling limit is used up at the start: status 429 until some of it comes back.',
  'sandbox-key-no-quota': 'An account whose quota is {}.',
  'sandbox-key-no-credit': 'An account without a subscription: status 402, and no quota.',
}

const rehearsal = `To see how a script or a long run copes with a slow and unreliable service, use --latency, --fail, --limit, --renew and --concurrent:

  $ syn sandbox --port 8790 --rate 0 --latency 200ms --fail 5% --limit 1000 --renew 60s --concurrent 64

--fail and --latency concern inference requests: chat completions, messages, text completions and embeddings. A request that fails gets status 503 at once, without Retry-After, and does not count against --limit; the same request may succeed when it is sent again. A time is a number and a unit: ms, s, m or h.`

const text: PageText = {
  statuses: {
    failed: 'Failure: the port is in use.',
    usage: 'Usage error.',
  },
  sections: [
    section('USE', use),
    section('ANSWERS', definitions('Li', answers)),
    section('LIMITS', definitions('Li', limits)),
    section('KEYS', definitions('Li', keys)),
    section('REHEARSALS', rehearsal),
  ],
}

export default text
