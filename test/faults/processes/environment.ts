/** Environments: locale, home, terminal, proxies, keys, base URLs, working directories. */

import type { ProcessAxis, ProcessCase, ProcessOutcome } from '../process.ts'

const answered: ProcessOutcome = { exit: 0 }
const invalid: ProcessOutcome = { exit: 2, requests: 0 }

/** A variable's value, or nothing to remove it. */
function withVariables(...settings: string[]): ProcessCase[] {
  return settings.map((setting) => ({
    name: `\`${setting}\``,
    line: `env ${setting} syn chat hi`,
    outcome: answered,
  }))
}

export const environments: ProcessAxis = {
  title: 'Environment',
  cases: [
    ...withVariables(
      'LC_ALL=C',
      'LC_ALL=tr_TR.UTF-8',
      'TZ=Nowhere/None',
      'TERM=nonsense',
      '-u HOME',
      'HOME=relative',
      'TMPDIR=/nowhere',
      '-u PATH /bin/env "PATH=$PATH"',
      'NO_PROXY=127.0.0.1 HTTP_PROXY=http://127.0.0.1:1',
    ),
    {
      name: '`LC_ALL=tr_TR.UTF-8`, with an option in capitals',
      line: 'LC_ALL=tr_TR.UTF-8 syn chat --COLOR=always hi',
      outcome: { ...invalid, words: 'unknown option' },
    },
    {
      name: 'no environment',
      line: 'env -i PATH="$PATH" syn chat hi',
      outcome: { ...invalid, words: 'no base URL', hint: 'syn login' },
    },
    {
      name: 'a key of white space',
      line: "SYN_API_KEY='  ' syn chat hi",
      outcome: { ...invalid, words: 'SYN_API_KEY: the key is empty' },
    },
    {
      name: 'a key with a line end inside',
      line: String.raw`SYN_API_KEY=$'a\nb' syn chat hi`,
      outcome: { ...invalid, words: 'SYN_API_KEY' },
    },
    {
      name: 'a base URL that is none',
      line: 'SYN_BASE_URL=nonsense syn chat hi',
      outcome: { ...invalid, words: 'SYN_BASE_URL', hint: 'did you mean https://nonsense?' },
    },
    {
      name: 'a base URL without TLS elsewhere',
      line: 'SYN_BASE_URL=http://example.com syn chat hi',
      outcome: {
        exit: 2,
        words: 'refusing to send the API key unencrypted to http://example.com',
        hint: '--allow-http',
        requests: 0,
      },
    },
    {
      name: 'a profile that does not exist',
      line: 'SYN_PROFILE=none syn chat hi',
      outcome: { ...invalid, words: 'no profile named "none"', hint: 'syn login --profile none' },
    },
    { name: 'a working directory that is gone', line: 'mkdir a; cd a; rmdir ../a; syn chat hi', outcome: answered },
    { name: '`umask 777`', line: 'umask 777; syn chat --save hi', outcome: answered },
    {
      name: '`umask 0`',
      line: 'umask 0; syn chat --save hi; stat -c %a .local/share/syn/conversations/*',
      outcome: { exit: 0, out: 'Hello\n600\n' },
    },
  ],
}
