/** Checks nested documents with valibot. Loaded only if there is a document to check. */

import * as v from 'valibot'
import { choicesText, type Problem } from './problem.ts'
import { quote } from '../io/json/print.ts'

export type Shape = v.GenericSchema

/** A shape selected by the value itself. */
export function shapeBy(choose: (value: unknown) => Shape): Shape {
  return v.lazy(choose)
}

export function findProblem(shape: Shape, value: unknown): Problem | undefined {
  const result = v.safeParse(shape, value, { abortEarly: true })
  return result.success ? undefined : issueToProblem(result.issues[0])
}

function issueToProblem(issue: v.BaseIssue<unknown>): Problem {
  const path = (issue.path ?? []).map((step) => step.key as string | number)
  // The alternative of a union that failed below its top level is the one that was meant.
  const deeper = issue.type === 'union' ? issue.issues?.find((alternative) => alternative.path) : undefined
  if (deeper) {
    const inner = issueToProblem(deeper)
    return { ...inner, path: [...path, ...inner.path] }
  }
  return { path, ...describe(issue) }
}

function describe(issue: v.BaseIssue<unknown>): Omit<Problem, 'path'> {
  if (issue.kind === 'validation' || issue.type === 'custom' || issue.expected === null) {
    return { found: quote(issue.input), expected: issue.message }
  }
  const choices = issue.expected.match(/"[^"]*"/g)?.map((choice) => choice.slice(1, -1)) ?? []
  if (issue.input === undefined) {
    // For a missing key, valibot's `expected` is the key's name.
    const isKey = issue.type.endsWith('object') || choices.length === 0
    return { found: 'missing', expected: isKey ? 'it is required' : `expected ${choicesText(choices, undefined)}` }
  }
  const expected = choices.length === 0 ? wordsFor(issue.expected) : choicesText(choices, issue.input)
  return { found: quote(issue.input), expected }
}

function wordsFor(expected: string): string {
  const words: Record<string, string> = {
    Object: 'an object',
    Array: 'an array',
    string: 'a string',
    number: 'a number',
    boolean: 'true or false',
  }
  return expected
    .replace(/^\((.*)\)$/, '$1')
    .split(' | ')
    .map((part) => words[part] ?? part)
    .join(' or ')
}
