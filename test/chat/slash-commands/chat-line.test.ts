/** Which lines are messages, which are commands, and which are refused. */

import { expect, test } from 'vitest'
import { errorMessage } from '../../../src/errors.ts'
import { argumentOf, parseChatLine } from '../../../src/chat/slash-commands/chat-line.ts'

function decided(text: string): string {
  const line = parseChatLine(text)
  if (line.kind === 'message') return `message: ${line.text}`
  if (line.kind === 'unknown') return `refused: ${line.error.message}`
  try {
    const argument = argumentOf(line)
    return argument === undefined ? line.command.name : `${line.command.name}: ${argument}`
  } catch (error) {
    return `refused: ${errorMessage(error)}`
  }
}

test.each([
  ['hello', 'message: hello'],
  ['/model hf:one', 'model: hf:one'],
  ['  /model\thf:one', 'model: hf:one'],
  ['/system Be brief.\nBe kind.', 'system: Be brief.\nBe kind.'],
  ['/rename "my chat"', 'rename: my chat'],
  ["/fork  'my chat' ", 'fork: my chat'],
  ['/load "my chat"', 'load: my chat'],
  ['/save "a b.md"', 'save: a b.md'],
  ['/image "a b.png"', 'image: a b.png'],
  ["/image ''", 'image: '],
  ['/rename ""', 'rename: '],
  ['/raw ""', 'raw: '],
  ['/raw ', 'raw'],
  ['/rename say "hi"', 'rename: say "hi"'],
  ['/rename "a" and "b"', 'rename: "a" and "b"'],
  ['/system "Yes?"', 'system: "Yes?"'],
  ['/system ""', 'system: ""'],
  ['/set stop "END"', 'set: stop "END"'],
  ['/set seed', 'set: seed'],
  ['/q', 'exit'],
  ['/?', 'help'],
  ['//model is a command', 'message: /model is a command'],
  ['  //etc', 'message:   /etc'],
  ['/usr/bin/foo is broken', 'message: /usr/bin/foo is broken'],
  ['/usr/bin/foo', 'message: /usr/bin/foo'],
  ['/s/foo/bar/', 'message: /s/foo/bar/'],
  ['/model.ts is long', 'message: /model.ts is long'],
  ['/etc holds settings', 'message: /etc holds settings'],
  ['/etc\nholds settings', 'message: /etc\nholds settings'],
  ['/etc ', 'refused: unknown command "/etc"'],
  ['/s at the end means sarcasm', 'message: /s at the end means sarcasm'],
  ['/dev/null what is it for?', 'message: /dev/null what is it for?'],
  ['/temperature 0.5', 'message: /temperature 0.5'],
  ['/temperature', 'refused: unknown command "/temperature"'],
  ['/ divides', 'message: / divides'],
  ['/modle', 'refused: unknown command "/modle" (did you mean /model?)'],
  ['/clear', 'refused: unknown command "/clear" (did you mean /new?)'],
  ['/clear all of it', 'refused: unknown command "/clear" (did you mean /new?)'],
  ['/bye', 'refused: unknown command "/bye" (did you mean /exit?)'],
  ['/resume french', 'refused: unknown command "/resume" (did you mean /load?)'],
  ['/attach notes.txt', 'refused: unknown command "/attach" (did you mean /file?)'],
  ['/add', 'refused: unknown command "/add" (did you mean /file?)'],
  ['/status', 'refused: unknown command "/status" (did you mean /usage?)'],
  ['/stats', 'refused: unknown command "/stats" (did you mean /usage?)'],
  ['/export a.md', 'refused: unknown command "/export" (did you mean /save?)'],
  ['/history', 'refused: unknown command "/history" (did you mean /sessions?)'],
  [' Help ', 'refused: unknown command "Help" (did you mean /help?)'],
  ['?', 'refused: unknown command "?" (did you mean /help?)'],
  ['.help', 'refused: unknown command ".help" (did you mean /help?)'],
  ['quit()', 'refused: unknown command "quit()" (did you mean /exit?)'],
  ['exit', 'refused: unknown command "exit" (did you mean /exit?)'],
  ['help me', 'message: help me'],
  ['clear', 'refused: unknown command "clear" (did you mean /new?)'],
  [':q', 'refused: unknown command ":q" (did you mean /exit?)'],
  ['/models', 'refused: unknown command "/models" (did you mean /model?)'],
  ['/modle ', 'refused: unknown command "/modle" (did you mean /model?)'],
  ['/modle hf:one', 'refused: unknown command "/modle" (did you mean /model?)'],
  ['/Model hf:one', 'refused: unknown command "/Model" (did you mean /model?)'],
  ['/compact', 'compact'],
  ['/compress', 'refused: unknown command "/compress" (did you mean /compact?)'],
  ['/summarize it', 'refused: unknown command "/summarize" (did you mean /compact?)'],
  ['/', 'refused: unknown command "/"'],
  ['/new ideas for a name', 'refused: /new takes no argument'],
  ['/rename', 'refused: /rename: missing argument NAME'],
])('%j', (text, expected) => {
  expect(decided(text)).toBe(expected)
})
