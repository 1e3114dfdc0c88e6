import type { CommandContext } from '../context.ts'
import { ReaderGoneError, explain } from '../errors.ts'
import { harmless } from '../io/harmless.ts'
import { wrapWords } from '../terminal/width.ts'

/**
 * Says what failed, as the program does at its end; the chat goes on.
 * @throws the failure itself when nobody is there to go on with.
 */
export async function tellFailure(error: unknown, { io, secrets }: CommandContext): Promise<void> {
  if (io.signal.aborted || error instanceof ReaderGoneError) throw error
  const { message, hint } = explain(error)
  const lines = [...(message === '' ? [] : [`syn: ${message}`]), ...(hint === undefined ? [] : [`hint: ${hint}`])]
  const shown = lines.flatMap((line) => wrapWords(harmless(secrets.mask(line)), io.err.columns()))
  await io.err.write(shown.map((line) => `${line}\n`).join(''))
}
