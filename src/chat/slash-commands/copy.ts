import { answersIn } from '../../conversation/conversation.ts'
import { chatMessageText } from '../../conversation/message.ts'
import { FailedError } from '../../errors.ts'
import { safe, sanitizeName } from '../../io/text/safe-text.ts'
import type { SlashCommand } from './slash-command.ts'

export const copy: SlashCommand = {
  name: 'copy',
  help: 'Copy the last answer to the clipboard (OSC 52).',
  runsAtOnce: true,
  run: async (_argument, chat) => {
    const answer = answersIn(chat.session.path).at(-1)
    if (!answer) throw new FailedError('/copy: no answer yet')
    if (chat.context.io.env.TERM === 'dumb') {
      throw new FailedError('/copy: this terminal has no clipboard', { hint: 'use /save FILE to write to a file' })
    }
    const text = chatMessageText(answer.message)
    await chat.context.io.out.write(safe`\u001b]52;c;${sanitizeName(Buffer.from(text).toString('base64'))}\u0007`)
    return `copied ${text.length} characters, if the terminal allows clipboard access`
  },
}
