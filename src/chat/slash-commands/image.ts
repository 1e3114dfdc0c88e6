import { attachCommand } from './attach-command.ts'

export const image = attachCommand('image', {
  argument: '[PATH|URL]',
  help: 'Attach an image; "" removes all; alone, list attachments.',
})
