/** Which lines are messages, which are commands, and which are refused. */

import { expect, test } from 'vitest'
import { errorMessage } from '../../../src/errors.ts'
import { argumentOf, parseChatLine } from '../../../src/chat/slash-commands/chat-line.ts'

function decided(text: string): string {
  const line = parseChatLine(text, { env: { XDG_CONFIG_HOME: '/nowhere' }, platform: 'linux' })
  if (line.kind === 'message') return `message: ${line.words}`
  if (line.kind !== 'command') return `refused: ${line.error.message}`
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
  ["/rename  'my chat' ", 'rename: my chat'],
  ['/save "a b.md"', 'save: a b.md'],
  ["/image ''", 'image: '],
  ['/raw ""', 'raw: '],
  ['/raw ', 'raw'],
  ['/rename say "hi"', 'rename: say "hi"'],
  ['/system ""', 'system: ""'],
  ['/set stop "END"', 'set: stop "END"'],
  ['/q', 'exit'],
  ['/?', 'help'],
  ['//model is a command', 'message: /model is a command'],
  ['  //etc', 'message:   /etc'],
  ['/usr/bin/foo is broken', 'message: /usr/bin/foo is broken'],
  ['/s/foo/bar/', 'message: /s/foo/bar/'],
  ['/model.ts is long', 'message: /model.ts is long'],
  ['/etc\nholds settings', 'message: /etc\nholds settings'],
  ['/etc ', 'refused: unknown command "/etc"'],
  ['/s at the end means sarcasm', 'message: /s at the end means sarcasm'],
  ['/ divides', 'message: / divides'],
  ['/modle', 'refused: unknown command "/modle" (did you mean /model?)'],
  ['/clear', 'refused: unknown command "/clear" (did you mean /new?)'],
  ['/clear all of it', 'refused: unknown command "/clear" (did you mean /new?)'],
  [' Help ', 'refused: unknown command "Help" (did you mean /help?)'],
  ['?', 'refused: unknown command "?" (did you mean /help?)'],
  ['quit()', 'refused: unknown command "quit()" (did you mean /exit?)'],
  [' exit ', 'exit'],
  ['help me', 'message: help me'],
  ['/models', 'refused: unknown command "/models" (did you mean /model?)'],
  ['/modle hf:one', 'refused: unknown command "/modle" (did you mean /model?)'],
  ['/Model hf:one', 'refused: unknown command "/Model" (did you mean /model?)'],
  ['/compact', 'compact'],
  ['/compress', 'refused: unknown command "/compress" (did you mean /compact?)'],
  ['/', 'refused: unknown command "/"'],
  ['/new ideas for a name', 'refused: /new takes no argument'],
  ['/rename', 'refused: /rename: missing argument NAME'],
])('%j', (text, expected) => {
  expect(decided(text)).toBe(expected)
})
