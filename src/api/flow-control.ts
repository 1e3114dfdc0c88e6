/**
 * Holds back what a connection has received while the reader of its reply is slower. undici has `pause()` for that, but it
 * stops undici's parser: a connection that ends meanwhile fails an assertion (undici's issue 5360), which ends the process,
 * and text that had arrived is lost. What holds back here is the socket, so that undici meets its end after its data only.
 */

import type { Socket } from 'node:net'
import { InterimReplies } from './interim-replies.ts'

/** The flow of one connection, from the network to undici. */
export interface ReplyFlow {
  /** From now on undici reads nothing. What it has read already is still delivered. */
  hold(): void
  /** undici reads on. Must not be called while it parses. */
  release(): void
  /** The reply has ended: what follows it is not held. */
  forget(): void
}

let current: ReplyFlow | undefined

/** The flow of the connection whose data undici parses now, which it does as soon as it has read it. */
export function currentFlow(): ReplyFlow | undefined {
  return current
}

/** To be called before undici gets the socket. */
export function controlFlow(socket: Socket): void {
  let isHeld = false
  let isBroken = false
  const interim = new InterimReplies(() => socket.destroy(new Error('bad upgrade')))
  const flow: ReplyFlow = {
    hold: () => void (isHeld = !isBroken),
    release: () => {
      if (!isHeld) return
      isHeld = false
      // undici reads at this event.
      if (!socket.destroyed) socket.emit('readable')
    },
    forget: () => {
      isHeld = false
      interim.expectReply()
    },
  }
  const { read, destroy } = socket
  socket.read = (size?: number): unknown => {
    // With 0, the stream fills its buffer, and returns nothing.
    if (isHeld && size !== 0) return null
    current = flow
    const chunk = read.call(socket, size) as Buffer | null
    return chunk === null ? null : interim.filter(chunk)
  }
  socket.destroy = (error?: NodeJS.ErrnoException): Socket => {
    // undici takes nothing of a socket that is destroyed: what had arrived before the connection broke goes first.
    if (error?.syscall === 'read') {
      isBroken = true
      flow.release()
    }
    return destroy.call(socket, error)
  }
}
