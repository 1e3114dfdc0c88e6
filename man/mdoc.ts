/** The parts of a man page, as mdoc source. See mdoc(7). */

import type { Example } from '../src/command.ts'
import type { Field, Fields } from '../src/fields/field.ts'
import { flagTerm, optionHelp } from '../src/fields/option-help.ts'
import { argument, display, macro, paragraphs, prose, sentence } from './macros.ts'

/** Data that all pages of one release share. */
export interface Edition {
  /** In mdoc's format: `November 20, 2026`. */
  readonly date: string
  readonly version: string
}

export type Section = readonly string[]

/** A page: its NAME, then these sections. Empty ones are left out. */
export function page(name: string, summary: string, edition: Edition, sections: readonly Section[]): string {
  const head = [
    `.Dd ${edition.date}`,
    `.Dt ${name.toUpperCase()} 1`,
    macro('Os', `syn-cli ${edition.version}`),
    '.Sh NAME',
    macro('Nm', name),
    `.Nd ${prose(summary.charAt(0).toLowerCase() + summary.slice(1))}`,
  ]
  return `${[...head, ...sections.flat()].join('\n')}\n`
}

/** @param parts Text as `paragraphs` takes it, and lists. */
export function section(title: string, ...parts: readonly (string | Section)[]): Section {
  return [`.Sh ${title}`, ...body(parts)]
}

export function subsection(title: string, ...parts: readonly (string | Section)[]): Section {
  return [`.Ss ${title}`, ...body(parts)]
}

function body(parts: readonly (string | Section)[]): Section {
  return parts.flatMap((part, index) => {
    if (typeof part !== 'string') return part
    const lines = paragraphs(part)
    return index === 0 || lines[0]?.startsWith('.Bd') ? lines : ['.Pp', ...lines]
  })
}

/** Below DESCRIPTION: mdoc(7) has the section EXAMPLES behind EXIT STATUS. */
export function exampleSubsection(examples: readonly Example[]): Section {
  return examples.length === 0 ? [] : ['.Ss Examples', ...exampleParagraphs(examples).slice(1)]
}

/** @param pages Names of pages of section 1. */
export function referenceSection(pages: readonly string[]): Section {
  const sorted = pages.toSorted()
  return ['.Sh SEE ALSO', ...sorted.map((name) => `.Xr ${name} 1${name === sorted.at(-1) ? '' : ' ,'}`)]
}

/** A list of flags and what they do. */
export function flagList(specs: Fields = {}): Section {
  return list(Object.entries(specs).flatMap(([name, spec]) => [`.It ${term(name, spec)}`, sentence(optionHelp(spec))]))
}

/**
 * A list of terms and what they mean.
 * @param kind The macro of the terms: `Li` for what is typed or printed, `Pa` for paths, `Ev` for variables.
 */
export function definitions(kind: 'Ar' | 'Ev' | 'Li' | 'Pa', rows: Readonly<Record<string, string>>): Section {
  return list(Object.entries(rows).flatMap(([name, help]) => [macro(`It ${kind}`, name), prose(help)]))
}

export function list(items: Section): Section {
  return items.length === 0 ? [] : ['.Bl -tag -width Ds', ...items, '.El']
}

export function exampleParagraphs(examples: readonly Example[]): Section {
  return examples.flatMap(([purpose, line]) => ['.Pp', `${prose(purpose)}:`, ...display(line.split('\n'))])
}

/** `-m, --model MODEL` → `Fl m , \-model Ar MODEL` */
function term(name: string, spec: Field): string {
  const [, short, long = '', placeholder] = /^ *(?:-(\w), )?-(-\S+)(?: (.+))?$/.exec(flagTerm(name, spec)) ?? []
  const flags = short === undefined ? `Fl ${argument(long)}` : `Fl ${short} , ${argument(long)}`
  return placeholder === undefined ? flags : `${flags} Ar ${argument(placeholder)}`
}
