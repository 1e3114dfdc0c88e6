/** The keys whose effect depends on the state of the chat, in one table: for the line editor, and for the man page. */

import { type EditAction, type EditorState, isOnFirstLine } from './editing.ts'
import type { LineCommand } from './keymap.ts'

/** What the line editor knows of the chat. */
export interface Situation {
  /** Whether an answer or a command runs. */
  readonly isBusy: boolean
  /** Whether the line answers a question of the chat. */
  readonly isQuestion: boolean
  /** Whether messages are listed above the line. */
  readonly hasQueued: boolean
  /** Whether some of them were not sent, and the line is no earlier message. */
  readonly hasUnsent: boolean
  /** Whether an answer was stopped within the last half second: the keys may still be meant for it. */
  readonly wasJustStopped: boolean
}

/** What the rules ask of the line. */
interface LineFacts {
  readonly editor: EditorState
  /** While the history is being searched. */
  readonly search: object | undefined
  readonly note: string | undefined
  readonly choices: readonly string[]
  /** The command of the last key, if pressing it twice does more. */
  readonly lastCommand: string | undefined
}

type Condition = (line: LineFacts, situation: Situation) => boolean

const isAnswering: Condition = (_line, { isBusy }) => isBusy
const isQuestion: Condition = (_line, situation) => situation.isQuestion
const hasText: Condition = ({ editor }) => editor.text !== ''
const isSearching: Condition = ({ search }) => search !== undefined
const always: Condition = () => true

interface KeyRule {
  readonly key: LineCommand
  /** As shown in the man page: the key, the state and the effect. */
  readonly shown: readonly [key: string, state: string, effect: string]
  readonly when: Condition
  readonly does: RuleEffect | EditAction
}

/** What `line-state.ts` does for a rule. */
export type RuleEffect =
  | 'acceptSearch'
  | 'answerQuestion'
  | 'askToExit'
  | 'cancelQuestion'
  | 'cancelSearch'
  | 'closeList'
  | 'enter'
  | 'exit'
  | 'nothing'
  | 'queue'
  | 'sayAnswering'
  | 'shelve'
  | 'stop'
  | 'takeBack'

/** For each key, the first rule whose condition holds. */
export const keyRules: readonly KeyRule[] = [
  {
    key: 'enter',
    shown: ['Enter', 'the chat asks a question', 'Answer it. An empty line means yes.'],
    when: isQuestion,
    does: 'answerQuestion',
  },
  {
    key: 'enter',
    shown: ['Enter', 'an answer is running', 'Queue the message. It is sent when the answer ends.'],
    when: isAnswering,
    does: 'queue',
  },
  { key: 'enter', shown: ['Enter', 'otherwise', 'Send the message.'], when: always, does: 'enter' },
  {
    key: 'up',
    shown: [
      'Up',
      'messages were not sent; or the line is empty, and messages are queued',
      'Take back the first one that was not sent, or the last queued one.',
    ],
    // Right after Ctrl-C, Up brings back what that cleared.
    when: ({ editor, lastCommand }, { hasQueued, hasUnsent }) =>
      (editor.text === '' ? hasQueued : hasUnsent && isOnFirstLine(editor)) && lastCommand !== 'shelve',
    does: 'takeBack',
  },
  {
    key: 'interrupt',
    shown: ['Ctrl-C', 'the chat asks a question', 'Do not answer it.'],
    when: isQuestion,
    does: 'cancelQuestion',
  },
  {
    key: 'interrupt',
    shown: ['Ctrl-C', 'the history is searched', 'End the search.'],
    when: isSearching,
    does: 'cancelSearch',
  },
  {
    key: 'interrupt',
    shown: ['Ctrl-C', 'the line has text', 'Clear the line. Up brings the text back.'],
    when: hasText,
    does: 'shelve',
  },
  { key: 'interrupt', shown: ['Ctrl-C', 'an answer is running', 'Stop the answer.'], when: isAnswering, does: 'stop' },
  {
    key: 'interrupt',
    shown: ['Ctrl-C', 'it was pressed before', 'Exit.'],
    when: ({ lastCommand }) => lastCommand === 'interrupt',
    does: 'exit',
  },
  { key: 'interrupt', shown: ['Ctrl-C', 'otherwise', 'Ask to press it again.'], when: always, does: 'askToExit' },
  {
    key: 'escape',
    shown: ['Esc', 'the chat asks a question', 'Do not answer it.'],
    when: isQuestion,
    does: 'cancelQuestion',
  },
  {
    key: 'escape',
    shown: ['Esc', 'the history is searched', 'End the search, and keep the text found.'],
    when: isSearching,
    does: 'acceptSearch',
  },
  {
    key: 'escape',
    shown: ['Esc', 'completions or a note are shown', 'Close them.'],
    when: ({ note, choices }) => note !== undefined || choices.length > 0,
    does: 'closeList',
  },
  { key: 'escape', shown: ['Esc', 'an answer is running', 'Stop the answer.'], when: isAnswering, does: 'stop' },
  {
    key: 'escape',
    shown: [
      'Esc',
      'it was pressed before, and no answer stopped in the last 0.5 s',
      'Clear the line. Up brings the text back.',
    ],
    when: ({ lastCommand, editor }, { wasJustStopped }) =>
      lastCommand === 'escape' && editor.text !== '' && !wasJustStopped,
    does: 'shelve',
  },
  { key: 'escape', shown: ['Esc', 'otherwise', 'Do nothing.'], when: always, does: 'nothing' },
  {
    key: 'deleteRightOrExit',
    shown: ['Ctrl-D', 'the line has text', 'Delete the character at the cursor.'],
    when: hasText,
    does: 'deleteRight',
  },
  {
    key: 'deleteRightOrExit',
    shown: ['Ctrl-D', 'the chat asks a question', 'Do not answer it.'],
    when: isQuestion,
    does: 'cancelQuestion',
  },
  {
    key: 'deleteRightOrExit',
    shown: ['Ctrl-D', 'an answer is running', 'Do nothing.'],
    when: isAnswering,
    does: 'sayAnswering',
  },
  { key: 'deleteRightOrExit', shown: ['Ctrl-D', 'otherwise', 'Exit.'], when: always, does: 'exit' },
]

export function ruleFor(key: LineCommand, line: LineFacts, situation: Situation): KeyRule['does'] | undefined {
  return keyRules.find((rule) => rule.key === key && rule.when(line, situation))?.does
}
