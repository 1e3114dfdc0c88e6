/** The only file that uses a private part of Node. `test/main/stalled-reader.e2e.test.ts` fails if Node changes it. */

import type { WriteStream } from 'node:tty'

interface PrivateHandle {
  readonly fd: number
  setBlocking(isBlocking: boolean): void
}

/**
 * Node makes writes to a terminal block: while it is stopped (Ctrl-S), no signal would be handled. To be called before each
 * write, because a child process that shares the terminal makes them block again.
 */
export function keepNonBlocking(stream: WriteStream): void {
  const { fd, _handle: handle } = stream as unknown as { fd: number; _handle: PrivateHandle | null }
  // libuv opens the terminal again for this process. If it could not, the writes of other processes would change, too.
  if (handle && handle.fd !== fd) handle.setBlocking(false)
}
