/** Input of any size: what becomes one request is at most 64 MiB. */

import type { ProcessAxis } from '../process.ts'

const tooLarge = { exit: 2, words: '64 MiB', requests: 0 } as const

export const sizes: ProcessAxis = {
  title: 'Sizes',
  cases: [
    { name: '3 GiB of NULs as standard input', line: 'head -c 3G /dev/zero | syn chat x', outcome: tooLarge },
    {
      name: 'three files of 30 MiB',
      line: "tr '\\0' x < /dev/zero | head -c 30M > a; syn chat -f a -f a -f a hi",
      outcome: tooLarge,
    },
    { name: '`--body` of 65 MiB', line: 'truncate -s 65M a; syn chat --body a hi', outcome: tooLarge },
    { name: 'endless tokens to count', line: 'yes | syn count-tokens', outcome: tooLarge },
    {
      name: 'an endless line to embed',
      line: 'cat /dev/zero | syn embed -m hf:org/embedder --lines',
      outcome: { exit: 2, words: '16 MiB', requests: 0 },
    },
    { name: 'an argument of 131,000 bytes', line: 'syn chat "$(printf "%131000s" x)"', outcome: { exit: 0 } },
    { name: '300 files', line: 'echo x > a; syn chat $(printf -- "-f a %.0s" {1..300}) hi', outcome: { exit: 0 } },
    {
      name: 'a prompt of 30 MiB',
      line: "head -c 30M /dev/zero | tr '\\0' x | syn chat",
      outcome: { exit: 0 },
    },
  ],
}
