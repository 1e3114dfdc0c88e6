import type { Candidate, Completer } from '../../terminal/line-editor/tab-completion.ts'
import type { ChatState } from '../state.ts'
import { parseChatLine } from './chat-line.ts'
import { promptCommands, slashCommands } from './registry.ts'
import type { Completion, SlashCommand } from './slash-command.ts'

function candidateOf({ name, argument, help }: SlashCommand): Candidate {
  return { text: argument === undefined ? name : `${name} `, shown: `/${name}`, help }
}

/** Completes slash commands and, at the end of the line, their arguments; messages are not completed. */
export function slashCompleter(chat: ChatState): Completer {
  const known = new KnownCandidates()
  let commands: readonly Candidate[] = []
  return (text, cursor) => {
    const typed = text.slice(0, cursor)
    const [, name] = /^\s*\/([^\s/]*)$/.exec(typed) ?? []
    if (name !== undefined) {
      known.forget()
      const isFirst = name === '' || commands.length === 0
      if (isFirst) commands = shownOf([...slashCommands, ...promptCommands(chat)].map(candidateOf), chat)
      const isWhole = /^(\s|$)/.test(text.slice(cursor))
      return isWhole ? { start: cursor - name.length, end: cursor, candidates: commands } : undefined
    }
    const line = parseChatLine(typed)
    if (line.kind !== 'command' || line.argument === undefined || cursor < text.length) return undefined
    const { argument, command } = line
    if (command.complete === undefined) return undefined
    const [scope = ''] = command.scope?.exec(argument) ?? []
    const start = cursor - argument.length + scope.length
    const all = known.find(text.slice(0, start), async () =>
      shownOf((await command.complete?.(scope, chat)) ?? [], chat),
    )
    const completion = (candidates: readonly Candidate[]) => ({ start, end: cursor, candidates })
    return all instanceof Promise ? all.then(completion) : completion(all)
  }
}

/** What can follow a text; it is asked for once, also if there is nothing. */
export class KnownCandidates {
  #before = ''
  #all: readonly Candidate[] | Promise<readonly Candidate[]> = []

  find(
    before: string,
    find: () => Promise<readonly Candidate[]>,
  ): readonly Candidate[] | Promise<readonly Candidate[]> {
    if (this.#before === before) return this.#all
    this.#before = before
    const asked = find().then((all) => {
      if (this.#all === asked) this.#all = all
      return all
    })
    return (this.#all = asked)
  }

  forget(): void {
    this.#before = ''
  }
}

/** What has the API key in it is left out: neither the list nor the line may show it. */
function shownOf(all: readonly Completion[], { context: { secrets } }: ChatState): Candidate[] {
  const isShown = (text: string): boolean => secrets.maskNotice(text) === text
  const candidates = all.map((one): Candidate => (typeof one === 'string' ? { text: one } : one))
  return candidates.filter(({ text, shown = '', help = '' }) => [text, shown, help].every(isShown))
}
