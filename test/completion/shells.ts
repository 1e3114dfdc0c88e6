/** The shells in which completion is tested. */

import { describeWith } from '../helpers/installed.ts'

export const shellNames = ['bash', 'zsh', 'fish'] as const
export type ShellName = (typeof shellNames)[number]

export function describeShell(name: ShellName, tests: () => void): void {
  describeWith(name, tests)
}
