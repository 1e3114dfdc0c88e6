/** Colors and text styles. The only import site of chalk, which is loaded only if color is used. */

import type { Io, Sink } from '../io/io.ts'
import { asSafeAs } from '../io/text/safe-text.ts'

export type Paint = <Text extends string>(text: Text) => Text

/** A text attribute, or one of the sixteen colors of the terminal, whose shades its user chose. */
export type Look =
  | 'bold'
  | 'dim'
  | 'italic'
  | 'underline'
  | 'strikethrough'
  | `${'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan'}${'' | 'Bright'}`
  | 'gray'

/** The values of the setting `theme`. */
export type ThemeName = 'auto' | 'light' | 'dark' | 'none'

export interface Style {
  readonly hasColor: boolean
  /** Whether --color=always was typed: what reads the text shows it as a terminal does, such as `less -R`. */
  readonly isForced: boolean
  /** For Markdown. */
  readonly theme: ThemeName
  readonly dim: Paint
  readonly bold: Paint
  /** @returns a function that applies all these looks. */
  painter(looks: readonly Look[]): Paint
}

/** Loads the style for text that is written to a sink. */
export type LoadStyle = (sink: Sink) => Promise<Style>

/** The settings that decide about color. */
interface StyleSettings {
  /** `auto`: on a terminal. */
  readonly color: 'auto' | 'always' | 'never'
  readonly theme: ThemeName
  readonly isForced: boolean
}

export const unstyled: Paint = (text) => text

export async function loadStyle(io: Io, sink: Sink, { color, theme, isForced }: StyleSettings): Promise<Style> {
  const level = colorLevel(io.env, sink.isTerminal, color)
  if (level === 0) {
    const plain = { dim: unstyled, bold: unstyled, painter: () => unstyled }
    return { hasColor: false, theme, isForced, ...plain }
  }
  const { Chalk } = await import('chalk')
  const chalk = new Chalk({ level })
  return {
    hasColor: true,
    theme,
    isForced,
    // `chalk.dim` itself, as a callback of `map`, would print the index too.
    dim: (text) => asSafeAs(text, chalk.dim(text)),
    bold: (text) => asSafeAs(text, chalk.bold(text)),
    painter: (looks) => {
      const chain = looks.reduce((chain, look) => chain[look], chalk)
      return (text) => asSafeAs(text, chain(text))
    },
  }
}

type ColorLevel = 0 | 1 | 2 | 3

/** FORCE_COLOR may also set the level. */
function colorLevel(env: Io['env'], isTerminal: boolean, color: StyleSettings['color']): ColorLevel {
  if (color === 'auto') return isTerminal ? terminalLevel(env) : 0
  if (color === 'never') return 0
  const { FORCE_COLOR: level = '' } = env
  return /^[123]$/.test(level) ? (Number(level) as ColorLevel) : (Math.max(1, terminalLevel(env)) as ColorLevel)
}

function terminalLevel({ TERM: term = '', COLORTERM: colorTerm = '' }: Io['env']): ColorLevel {
  if (term === 'dumb') return 0
  if (/truecolor|24bit/.test(colorTerm)) return 3
  return term.includes('256') ? 2 : 1
}
