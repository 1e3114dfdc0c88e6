/** What the keys do that nobody would guess, for /help and the manual. */

export interface KeyHelp {
  readonly keys: string
  readonly help: string
}

export const keyHelp: readonly KeyHelp[] = [
  { keys: 'Enter', help: 'Send. While an answer comes: send it when that ends.' },
  { keys: 'Alt-Enter', help: 'Begin a new line; so does Enter behind a \\.' },
  { keys: '"""', help: 'What begins with it is sent once another one closes it.' },
  { keys: 'Up, Down', help: 'Go to the line above or below, then to what was sent before.' },
  { keys: 'Tab', help: 'Complete a command and what follows it; twice lists.' },
  { keys: 'Ctrl-R', help: 'Search what was sent before; again goes further back.' },
  { keys: 'Ctrl-G', help: 'Write in $EDITOR.' },
  { keys: 'Ctrl-_', help: 'Undo.' },
  { keys: 'Ctrl-C', help: 'Stop an answer, or clear the line; twice leaves.' },
  { keys: 'Ctrl-D', help: 'Leave; so do the words exit and quit alone.' },
  { keys: 'Ctrl-Z', help: 'Suspend; fg comes back.' },
]
