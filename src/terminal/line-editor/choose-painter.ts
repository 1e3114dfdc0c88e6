import type { Io } from '../../io/io.ts'
import type { Style } from '../style.ts'
import { Painter } from './painter.ts'
import { PlainPainter } from './plain-painter.ts'

export type LinePainter = Painter | PlainPainter

/** The painter for what the terminal knows. */
export function choosePainter(io: Io, style: Pick<Style, 'dim'>): LinePainter {
  return io.env.TERM === 'dumb' ? new PlainPainter(io) : new Painter(io, style)
}
