import type { Turn } from '../prompt.ts'

/** What a writer is given. */
export interface Task {
  /** The user's last words, whole. */
  readonly request: string
  /** Its first paragraph: what to do. */
  readonly instruction: string
  readonly turns: readonly Turn[]
  /** What the choices of the answer depend on. */
  readonly seed: number
}
