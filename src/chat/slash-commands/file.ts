import { attachCommand } from './attach-command.ts'

export const file = attachCommand('file', {
  synonyms: ['/attach', '/add'],
  argument: '[PATH]',
  help: 'Attach a text file; "" removes all; alone, list them.',
})
