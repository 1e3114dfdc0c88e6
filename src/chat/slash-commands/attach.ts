/** The slash commands that attach files and images to the next message. */

import { hasImages } from '../../api/image.ts'
import { branchMessages } from '../../conversation/conversation.ts'
import { UsageError } from '../../errors.ts'
import { pathsMatching } from '../../fields/pattern.ts'
import { fileLines } from '../../io/files/files.ts'
import { mayExist } from '../../io/files/stats.ts'
import { attachmentNote, readAndAttach, withStillAttached } from '../attachments.ts'
import type { Attachment } from '../state.ts'
import { completePath, existingPath, pathScope } from '../argument-completion.ts'
import type { SlashCommand } from './slash-command.ts'

function attachCommand(kind: Attachment['kind'], texts: Omit<SlashCommand, 'name' | 'run'>): SlashCommand {
  return {
    ...texts,
    name: kind,
    scope: pathScope,
    complete: completePath,
    run: async (typed, chat) => {
      if (typed === '-') throw new UsageError(`/${kind}: standard input is the terminal`, { hint: 'give a path' })
      if (typed) {
        const isUrl = (kind === 'image' ? /^(https?|data):/i : /^https?:\/\//i).test(typed)
        const { name } = fileLines(typed, (one) => (isUrl ? one : existingPath(one, chat.context.io)))
        return readAndAttach([{ kind, name }], chat)
      }
      if (typed === '') chat.attachments = chat.attachments.filter((one) => one.kind !== kind)
      const history = branchMessages(chat.session.conversation.answeredPath())
      if (typed === '' && kind === 'image' && hasImages({ messages: history })) {
        chat.omitsImages = true
        return withStillAttached('from the next message on, no earlier image is sent; /show still has them', chat)
      }
      const lines = chat.attachments.map(attachmentNote)
      return lines.length === 0 ? 'no attachments' : lines.join('\n')
    },
  }
}

const file = attachCommand('file', {
  synonyms: ['/attach', '/add'],
  argument: '[PATH|URL]',
  help: 'Attach a text file or a web page; "" removes all; alone, list them.',
})

const image = attachCommand('image', {
  argument: '[PATH|URL]',
  help: 'Attach an image, or clipboard; "" removes all, earlier too; alone, list them.',
})

const from: SlashCommand = {
  name: 'from',
  argument: '[PATH]',
  help: 'Send what files say about each message; "" ends it; alone, list them.',
  scope: pathScope,
  complete: completePath,
  run: async (typed, chat) => {
    if (typed) {
      const path = existingPath(typed, chat.context.io)
      if (!mayExist(path) && (await pathsMatching(path)).length === 0)
        throw new UsageError(`/from: no such file: ${path}`)
      chat.from = [...chat.from.filter((one) => one !== path), path]
    } else if (typed === '') chat.from = []
    return chat.from.length === 0 ? 'no files to answer from' : `answering from ${chat.from.join(', ')}`
  },
}

export const attachCommands: readonly SlashCommand[] = [image, file, from]
