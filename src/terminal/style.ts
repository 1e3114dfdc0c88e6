/** Colours: the only importer of chalk, which is loaded only where there is colour to give. */

import type { Io, Sink } from '../io/io.ts'

export type Paint = (text: string) => string

/** The sixteen colours that every terminal has, in the shades its owner chose, and what else changes how letters look. */
export type Look =
  | 'bold'
  | 'dim'
  | 'italic'
  | 'underline'
  | 'strikethrough'
  | `${'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan'}${'' | 'Bright'}`
  | 'gray'

/** As in the setting `theme`. */
export type ThemeName = 'auto' | 'light' | 'dark' | 'none'

export interface Style {
  readonly hasColor: boolean
  /** Of Markdown. */
  readonly theme: ThemeName
  readonly dim: Paint
  readonly bold: Paint
  /** All of these looks at once. */
  painter(looks: readonly Look[]): Paint
  /** Colours a token by its probability, from 0 (red) to 1 (green). */
  probability(text: string, probability: number): string
  /** Colours a cell by its share of the whole scale, from 0 (cold) to 1 (hot). */
  heat(text: string, share: number): string
  /** Colours an amount by the part of the whole that is left, from 0 (red) to 1 (green). */
  left(text: string, part: number): string
}

/** How what is written to a sink may look. */
export type LoadStyle = (sink: Sink) => Promise<Style>

/** What the settings say of it. */
export interface StyleSettings {
  /** Absent where the terminal decides. */
  readonly color: boolean | undefined
  readonly theme: ThemeName
}

const plain: Omit<Style, 'theme'> = {
  hasColor: false,
  dim: (text) => text,
  bold: (text) => text,
  painter: () => (text) => text,
  probability: (text) => text,
  heat: (text) => text,
  left: (text) => text,
}

export async function loadStyle(io: Io, sink: Sink, { color, theme }: StyleSettings): Promise<Style> {
  const level = colorLevel(io.env, sink.isTerminal, color)
  if (level === 0) return { ...plain, theme }
  const { Chalk } = await import('chalk')
  const chalk = new Chalk({ level })
  // 256-colour codes from red over yellow to green; chalk brings them down to what the terminal has.
  const scale = [196, 202, 208, 214, 220, 184, 148, 112, 76, 40]
  // From dark blue over pink to yellow, which reads from dark to light as well.
  const heatScale = [17, 54, 90, 126, 162, 198, 203, 209, 215, 221, 227]
  const onScale = (text: string, part: number): string => {
    const step = Math.min(scale.length - 1, Math.floor(part * scale.length))
    return chalk.ansi256(scale[step] ?? 40)(text)
  }
  return {
    hasColor: true,
    theme,
    // Chalk itself would join what `map` passes besides the text.
    dim: (text) => chalk.dim(text),
    bold: (text) => chalk.bold(text),
    painter: (looks) => {
      const chain = looks.reduce((chain, look) => chain[look], chalk)
      return (text) => chain(text)
    },
    probability: onScale,
    heat: (text, share) => {
      const step = Math.round(share * (heatScale.length - 1))
      const [black, white] = [16, 231]
      return chalk.bgAnsi256(heatScale[step] ?? 227).ansi256(share > 0.5 ? black : white)(text)
    },
    left: onScale,
  }
}

type ColorLevel = 0 | 1 | 2 | 3

/** What was said counts; else what the terminal seems to be. FORCE_COLOR may name the level as well. */
function colorLevel(env: Io['env'], isTerminal: boolean, color: boolean | undefined): ColorLevel {
  if (color === undefined) return isTerminal ? terminalLevel(env) : 0
  if (!color) return 0
  const { FORCE_COLOR: level = '' } = env
  return /^[123]$/.test(level) ? (Number(level) as ColorLevel) : (Math.max(1, terminalLevel(env)) as ColorLevel)
}

function terminalLevel({ TERM: term = '', COLORTERM: colorTerm = '' }: Io['env']): ColorLevel {
  if (term === 'dumb') return 0
  if (/truecolor|24bit/.test(colorTerm)) return 3
  return term.includes('256') ? 2 : 1
}
