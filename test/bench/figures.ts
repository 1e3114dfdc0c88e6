/** What the benchmark measured. */

import { inTurn, median, type Place, type Program, type Sample } from './measure.ts'

/** Medians of one program, and what they are compared with. */
export interface Figure {
  /** Group and name, such as `startup/version`. */
  readonly id: string
  readonly label: string
  /** User and system time, in milliseconds. */
  readonly cpu?: number
  /** From the start of the program to its end, and to its first output, in milliseconds. */
  readonly wall?: number
  readonly first?: number
  /** Peak of memory, in MiB. */
  readonly peak?: number
  /** From the service's write to the program's, in milliseconds. */
  readonly delay?: number
  /** The label of the program that it is compared with. */
  readonly base?: string
  /** CPU time, as a multiple of the base's. */
  readonly ratio?: number
  /** Peak of memory, as a multiple of the base's. */
  readonly growth?: number
  /** Delay beyond the base's, in milliseconds. */
  readonly extra?: number
}

/** What a group of figures needs. */
export interface Setting extends Place {
  /** The Node that runs the programs. */
  readonly node: string
  /** The program file of syn. */
  readonly syn: string
  readonly baseUrl: string
  readonly key: string
  /** Whether the figure was chosen; the bases are always measured. */
  readonly wants: (id: string) => boolean
  /** How many rounds count. */
  readonly rounds: number
  /** Prints a notice. */
  readonly report: (text: string) => void
}

/** A figure that was measured by running a program. */
export interface Entrant extends Program {
  readonly id: string
}

/** @param base What the others are compared with. */
export async function compare(base: Entrant, others: readonly Entrant[], setting: Setting): Promise<Figure[]> {
  const wanted = others.filter(({ id }) => setting.wants(id))
  if (wanted.length === 0) return []
  const samples = await inTurn([base, ...wanted], setting.rounds, setting)
  const figures = [base, ...wanted].map((entrant): Figure => {
    const own = samples.get(entrant) ?? []
    const { id, label } = entrant
    return { id, label, ...medians(own) }
  })
  const [first] = figures
  return figures.map((figure) => (figure === first || !first ? figure : { ...figure, ...comparison(figure, first) }))
}

function medians(samples: readonly Sample[]): Partial<Figure> {
  const figure: { -readonly [Name in keyof Sample]?: number } = {}
  for (const name of ['cpu', 'wall', 'first', 'peak'] as const) {
    const values = samples.map((sample) => sample[name]).filter((value) => value !== undefined)
    if (values.length > 0) figure[name] = median(values)
  }
  return figure
}

function comparison(figure: Figure, base: Figure): Partial<Figure> {
  return {
    base: base.label,
    ...(figure.cpu !== undefined && base.cpu !== undefined && { ratio: figure.cpu / base.cpu }),
    ...(figure.peak !== undefined && base.peak !== undefined && { growth: figure.peak / base.peak }),
  }
}
