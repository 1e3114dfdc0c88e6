import type { CommandContext } from '../context.ts'
import { ReaderGoneError } from '../errors.ts'

/**
 * Says what failed, as the program does at its end; the chat goes on.
 * @throws the failure itself when there is nobody to go on with.
 */
export async function tellFailure(error: unknown, { io, notices }: CommandContext): Promise<void> {
  if (io.signal.aborted || error instanceof ReaderGoneError) throw error
  await notices.fail(error)
}
