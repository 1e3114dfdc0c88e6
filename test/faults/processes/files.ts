/** Files of the tool that are damaged, or in places that cannot be written; files given that cannot be read. */

import type { ProcessAxis, ProcessCase, ProcessOutcome } from '../process.ts'

const config = '.config/syn/config.json'
const makeConfig = 'mkdir -p .config/syn'
const answered: ProcessOutcome = { exit: 0 }

function invalid(words: string, hint = 'correct it in an editor'): ProcessOutcome {
  return { exit: 2, words, hint, requests: 0 }
}

/** Cases that start with the same commands. */
function under(subject: string, before: string, cases: readonly ProcessCase[]): ProcessCase[] {
  return cases.map((one) => ({ ...one, name: `${subject}: ${one.name}`, line: `${before}; ${one.line}` }))
}

const configs = under('config file', makeConfig, [
  { name: 'empty', line: `: > ${config}; syn chat hi`, outcome: answered },
  { name: 'truncated', line: `printf '{"profiles":' > ${config}; syn chat hi`, outcome: invalid('config.json') },
  { name: 'invalid UTF-8', line: `printf '"\\xff"' > ${config}; syn chat hi`, outcome: invalid('not UTF-8') },
  { name: 'a byte order mark', line: `printf '\\xef\\xbb\\xbf{}' > ${config}; syn chat hi`, outcome: answered },
  {
    name: 'a wrong type in it',
    line: `echo '{"profiles":{"default":{"retries":"x"}}}' > ${config}; syn chat hi`,
    outcome: invalid('config.json: $.profiles.default.retries'),
  },
  {
    name: 'a directory',
    line: `mkdir ${config}; syn chat hi`,
    outcome: { exit: 2, words: 'config.json', requests: 0 },
  },
  {
    name: 'a named pipe',
    line: `mkfifo ${config}; timeout -k 1 20 syn chat hi`,
    outcome: { exit: 2, words: 'config.json', requests: 0 },
  },
  {
    name: 'unreadable',
    line: `echo {} > ${config}; chmod 0 ${config}; syn chat hi`,
    needs: 'a user other than root',
    outcome: { exit: 2, words: 'permission denied', requests: 0 },
  },
])

const cacheFile = '.cache/syn/models-*.json'
const fillCache = `syn models --ids > first; file=$(echo ${cacheFile})`
const listed: ProcessOutcome = { exit: 0, out: /^hf:org\/model\n/, requests: 2 }

const caches = under('cache', fillCache, [
  { name: 'truncated', line: `printf '{"a":' > $file; timeout -k 1 20 syn models --ids`, outcome: listed },
  { name: 'a directory', line: 'rm $file; mkdir $file; timeout -k 1 20 syn models --ids', outcome: listed },
  { name: 'a named pipe', line: 'rm $file; mkfifo $file; timeout -k 1 20 syn models --ids', outcome: listed },
  {
    name: 'a directory that is a file',
    line: 'rm -r .cache/syn; : > .cache/syn; timeout -k 1 20 syn models --ids',
    outcome: listed,
  },
])

const begin = 'syn chat --save hi > first; file=$(echo .local/share/syn/conversations/*.jsonl)'
const continued: ProcessOutcome = { exit: 0, words: 'damaged', requests: 2 }

const conversations = under('conversation', begin, [
  { name: 'an unfinished last line', line: `printf '{"type":"tu' >> $file; syn chat -c hi`, outcome: continued },
  { name: 'a line that is no JSON', line: `sed -i '2i oops' $file; syn chat -c hi`, outcome: continued },
  { name: 'NUL bytes at the end', line: `printf '\\0\\0\\0' >> $file; syn chat -c hi`, outcome: continued },
  {
    name: 'nothing',
    line: ': > $file; syn sessions list',
    outcome: { exit: 0, out: '', words: 'no saved conversations' },
  },
  {
    name: 'a named pipe in its place',
    line: 'rm $file; mkfifo $file; timeout -k 1 20 syn sessions list',
    outcome: { exit: 0, out: '', words: 'no saved conversations' },
  },
])

const unread: ProcessOutcome = { exit: 2, requests: 0 }

const inputs: readonly ProcessCase[] = [
  { name: '`-f` without the file', line: 'syn chat -f none hi', outcome: { ...unread, words: 'no such file' } },
  { name: '`-f` of a directory', line: 'syn chat -f . hi', outcome: { ...unread, words: 'is a directory' } },
  { name: '`-f` with an empty path', line: "syn chat -f '' hi", outcome: { ...unread, words: 'the path is empty' } },
  {
    name: '`-f` of an empty file',
    line: ': > a; syn chat -f a hi',
    outcome: { ...answered, words: '--file a is empty' },
  },
  {
    name: '`-f` of binary data',
    line: "printf '\\x89PNG\\x1a\\x00' > a; syn chat -f a hi",
    outcome: { ...unread, words: 'not UTF-8 text', hint: 'use --image for images' },
  },
  { name: '`-f` of a pipe', line: 'syn chat -f <(echo text) hi', outcome: answered },
  {
    name: '`-f` of an unreadable file',
    line: ': > a; chmod 0 a; syn chat -f a hi',
    needs: 'a user other than root',
    outcome: { ...unread, words: 'permission denied' },
  },
  { name: '`-i` of a text', line: 'echo x > a.png; syn chat -i a.png hi', outcome: { ...unread, words: 'a.png' } },
  { name: '`-i` of an empty file', line: ': > a.png; syn chat -i a.png hi', outcome: { ...unread, words: 'a.png' } },
  {
    name: '`--messages` that are no JSON',
    line: 'echo x > a; syn chat --messages a',
    outcome: { ...unread, words: 'a' },
  },
  {
    name: '`--schema` that is no JSON',
    line: 'echo x > a; syn chat --schema a hi',
    outcome: { ...unread, words: 'a' },
  },
  {
    name: '`--body` nested 20,000 deep',
    line: "{ printf '[%.0s' {1..20000}; } > a; syn chat --body a hi",
    outcome: { ...unread, words: 'a' },
  },
]

const outputs: readonly ProcessCase[] = [
  { name: '`-o` of a directory', line: 'syn chat -o . hi', outcome: { ...unread, words: 'is a directory' } },
  {
    name: '`-o` in a missing directory',
    line: 'syn chat -o a/b hi',
    outcome: { ...unread, words: 'no such directory' },
  },
  { name: '`-o` with an empty path', line: "syn chat -o '' hi", outcome: { ...unread, words: 'the path is empty' } },
  { name: '`-o` in /proc', line: 'syn chat -o /proc/x hi', outcome: { exit: 1, words: 'cannot write /proc/x' } },
  {
    name: '`-o` in a read-only directory',
    line: 'mkdir a; chmod 500 a; syn chat -o a/b hi',
    needs: 'a user other than root',
    outcome: { ...unread, words: 'permission denied' },
  },
  {
    name: '`-o` over a loop of links',
    line: 'ln -s a a; syn chat -o a hi',
    outcome: { ...unread, words: 'too many levels' },
  },
  {
    name: '`-o` of an answer that is cut short',
    line: 'echo before > a; syn chat -o a hi; code=$?; cat a a.partial; exit $code',
    reply: 'cut',
    outcome: { exit: 7, out: 'before\nHel', words: 'cut short', hint: 'the output so far is kept in a.partial' },
  },
  {
    name: '`-o` of an answer that is cut short twice',
    line: 'syn chat -o a hi 2> first; syn chat -o a hi; code=$?; ls; exit $code',
    reply: 'cut',
    outcome: { exit: 7, out: 'a.partial\na.partial-2\nfirst\n', words: 'cut short', hint: 'a.partial-2', requests: 2 },
  },
  {
    name: '`--save` of an answer that is cut short',
    line: 'syn chat --save hi; code=$?; cat .local/share/syn/conversations/* | grep -c Hel; exit $code',
    reply: 'cut',
    outcome: { exit: 7, out: 'Hel1\n', words: 'cut short' },
  },
]

export const files: ProcessAxis = {
  title: 'Files',
  cases: [...configs, ...caches, ...conversations, ...inputs, ...outputs],
}
