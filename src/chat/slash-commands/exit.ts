import type { SlashCommand } from './slash-command.ts'

export const exit: SlashCommand = {
  name: 'exit',
  aliases: ['quit', 'q'],
  synonyms: ['/bye', 'bye', 'exit', 'quit', ':q', 'exit()', 'quit()', '.exit', '.quit'],
  help: 'Exit the chat, like Ctrl-D.',
  run: () => Promise.resolve({ kind: 'exit' }),
}
