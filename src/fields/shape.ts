/** Checks of nested documents, made with valibot. Loaded only when there is a document to check. */

import * as v from 'valibot'
import { choicesText, type Problem } from './problem.ts'
import { quote } from '../io/json.ts'

export type Shape = v.GenericSchema

/** The shape that a value is to have depends on what it is. */
export function shapeBy(choose: (value: unknown) => Shape): Shape {
  return v.lazy(choose)
}

/** @returns the first thing wrong with the value, or nothing when it has the shape. */
export function findProblem(shape: Shape, value: unknown): Problem | undefined {
  const result = v.safeParse(shape, value, { abortEarly: true })
  return result.success ? undefined : problemOf(result.issues[0])
}

function problemOf(issue: v.BaseIssue<unknown>): Problem {
  const path = (issue.path ?? []).map((step) => step.key as string | number)
  // Of a union's alternatives the one that got further than its first step is the one that was meant.
  const deeper = issue.type === 'union' ? issue.issues?.find((alternative) => alternative.path) : undefined
  if (deeper) {
    const inner = problemOf(deeper)
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
    // What an object expects is the key itself.
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
