/** Pairs of axes: faults in every framing and encoding, for every operation and kind of output. */

import { axes } from './axes.ts'
import { operations, type Operation } from './operations.ts'
import { pairwise } from './pairwise.ts'
import { outcomeFor, type Case, type Fault } from './table.ts'
import { framings, isData, type Response } from './wire.ts'

/** How the output is asked for. */
export const outputs = ['standard output', '-o FILE', '--json', '--quiet', '--debug'] as const
export type Output = (typeof outputs)[number]

const faultNames = [
  'body delimited by length',
  'no finish reason',
  'no `[DONE]`, no `message_stop`',
  'neither finish reason nor `[DONE]`',
  'an error in place of the end',
  'error object before any text',
  'error object after some text',
  'error object in place of the reply',
  'events that are no objects',
  'an event of truncated JSON',
  'web page',
  'plain text',
  'nothing',
  'truncated JSON',
  'byte order mark',
  '307 within the origin',
  '302 to another origin',
  '400',
  '401',
  '404',
  '429',
  '503',
  '400, plain text',
  '503, nothing',
]

const cases = new Map(axes.flatMap((axis) => axis.cases).map((one) => [one.name, one]))

const parameters = {
  operation: operations,
  one: faultNames.map((name): Case => {
    const one = cases.get(name)
    if (!one) throw new Error(`no case ${name}`)
    return one
  }),
  framing: framings,
  encoding: [undefined, 'gzip', 'deflate', 'br'] as const,
  interim: [undefined, 102, 103] as const,
  output: outputs,
}

export const pairs = pairwise(parameters, ({ operation, one, output }) => {
  if (operation && one && outcomeFor(one, operation) === undefined) return false
  // It selects models, which --json cannot be combined with.
  return !(operation?.name === 'models' && output === '--json')
})

export type Pair = (typeof pairs)[number]

/** The fault of a pair, in its framing and encoding. */
export function faultOf({ one, framing, encoding, interim }: Pair): Fault {
  return {
    ...one.fault,
    answer: (operation: Operation, number, origin) => {
      const response = one.fault.answer?.(operation, number, origin) as Response
      if (!response.body.every(isData)) throw new Error(`${one.name} cannot be encoded`)
      return {
        ...response,
        framing,
        ...(encoding !== undefined && { encoding }),
        ...(interim !== undefined && { interim: [interim] }),
      }
    },
  }
}

export function flagsOf(output: Output, file: string): readonly string[] {
  if (output === 'standard output') return []
  return output === '-o FILE' ? ['-o', file] : [output]
}
