/** Colours: the only importer of chalk, which is loaded only where there is colour to give. */

import type { Io, Sink } from '../io/io.ts'

type Paint = (text: string) => string

export interface Style {
  readonly hasColor: boolean
  readonly dim: Paint
  readonly bold: Paint
  /** Colours a token by its probability, from 0 (red) to 1 (green). */
  probability(text: string, probability: number): string
}

const plain: Style = {
  hasColor: false,
  dim: (text) => text,
  bold: (text) => text,
  probability: (text) => text,
}

/** @param color What `--color` or `--no-color` said, if either did. */
export async function loadStyle(io: Io, sink: Sink, color: boolean | undefined): Promise<Style> {
  const level = colorLevel(io.env, sink.isTerminal, color)
  if (level === 0) return plain
  const { Chalk } = await import('chalk')
  const chalk = new Chalk({ level })
  // 256-colour codes from red over yellow to green; chalk brings them down to what the terminal has.
  const scale = [196, 202, 208, 214, 220, 184, 148, 112, 76, 40]
  return {
    hasColor: true,
    dim: chalk.dim,
    bold: chalk.bold,
    probability: (text, probability) => {
      const step = Math.min(scale.length - 1, Math.floor(probability * scale.length))
      return chalk.ansi256(scale[step] ?? 40)(text)
    },
  }
}

type ColorLevel = 0 | 1 | 2 | 3

/** A flag wins over NO_COLOR, which wins over FORCE_COLOR, which wins over what the terminal seems to be. */
function colorLevel(env: Io['env'], isTerminal: boolean, color: boolean | undefined): ColorLevel {
  if (color === false) return 0
  if (color === true) return Math.max(1, terminalLevel(env)) as ColorLevel
  if (env.NO_COLOR) return 0
  const forced = env.FORCE_COLOR
  if (forced !== undefined) {
    if (forced === '0' || forced === 'false') return 0
    return /^[123]$/.test(forced) ? (Number(forced) as ColorLevel) : 1
  }
  return isTerminal ? terminalLevel(env) : 0
}

function terminalLevel({ TERM: term = '', COLORTERM: colorTerm = '' }: Io['env']): ColorLevel {
  if (term === 'dumb') return 0
  if (/truecolor|24bit/.test(colorTerm)) return 3
  return term.includes('256') ? 2 : 1
}
