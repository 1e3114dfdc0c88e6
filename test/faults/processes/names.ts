/** Names of files, conversations, profiles and models. */

import type { ProcessAxis, ProcessCase } from '../process.ts'

/** Names in the notation of bash's $'…'. */
const fileNames: readonly (readonly [title: string, name: string])[] = [
  ['a line end', String.raw`a\nb`],
  ['control characters', String.raw`a\e]0;title\ab`],
  ['quotes', String.raw`a\'b"c\`d`],
  ['a leading dash', '-n'],
  ['an at sign', '@a'],
  ['other letters', 'Ünïcødé 中文 🎉'],
  ['255 bytes', 'x'.repeat(254)],
  ['a glob', '*'],
]

export const names: ProcessAxis = {
  title: 'Names',
  cases: [
    ...fileNames.map(([title, name]): ProcessCase => ({
      name: `files with ${title}`,
      line: `n=$'${name}'; echo text > "./$n"; syn chat --file="./$n" --output="./o$n" hi; cat "./o$n"`,
      outcome: { exit: 0 },
    })),
    {
      name: 'an error about a name with control characters',
      line: String.raw`syn chat -f $'no\e]0;title\asuch' hi 2>&1 | cat -v`,
      outcome: { exit: 2, out: /cannot read .*: no such file/, requests: 0 },
    },
    {
      name: '`-o` of 256 bytes',
      line: `syn chat -o ${'x'.repeat(256)} hi`,
      outcome: { exit: 2, words: 'x: name too long', requests: 0 },
    },
    {
      name: 'a name that is not UTF-8',
      line: String.raw`name=$'a\xff'; echo text > "$name"; syn chat -f "$name" hi; code=$?; rm "$name"; exit $code`,
      outcome: { exit: 2, words: String.raw`cannot read $'a\xff': its name is not UTF-8`, requests: 0 },
    },
    {
      name: '-o with a name that is not UTF-8',
      line: String.raw`syn chat -o $'a\xff' hi`,
      outcome: { exit: 2, words: 'the name is not UTF-8', requests: 0 },
    },
    {
      name: 'a profile named __proto__',
      line: 'syn --profile __proto__ chat hi',
      outcome: { exit: 2, words: 'no profile named "__proto__"', hint: 'syn login', requests: 0 },
    },
    {
      name: 'a conversation with a path as its name',
      line: 'syn chat --session ../../x hi; ls .local/share/syn/conversations | wc -l',
      outcome: { exit: 0, out: /^Hello\n *1\n$/, words: 'starting a new conversation "../../x"' },
    },
    {
      name: 'a model with a line end',
      line: String.raw`syn chat -m $'hf:a\nb' hi`,
      outcome: { exit: 2, words: '--model', requests: 0 },
    },
  ],
}
