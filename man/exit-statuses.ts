import { exitCodes } from '../src/errors.ts'
import { prose } from './macros.ts'

export type Status = keyof typeof exitCodes

/** What each exit status means, in the words of the pages. */
const meanings: Readonly<Record<Status, string>> = {
  done: 'Done. Also when the answer was cut at its limit of tokens, filtered or refused, which a notice tells.',
  failed:
    'Failed: the service refused the request, a file could not be written, there was nothing to extract, or the answer ' +
    'does not fit its schema.',
  usage:
    'Wrong usage or bad input, and nothing was sent: an unknown option, a value out of range, an unreadable file, no ' +
    'base address.',
  unauthorized: 'Not authorised: no key, or one that the service does not accept.',
  notFound: 'Not found: mostly a model that was rotated out.',
  quota: 'The quota is used up, or requests came too fast.',
  network:
    'Network failure, timeout, fault of the service, unreadable reply or refused redirect, before any of the answer ' +
    'was delivered.',
  cutShort: 'The answer broke off after part of it had been delivered.',
  threshold: 'A threshold that was asked for was crossed.',
  brokenPipe: 'Whoever read standard output went away.',
}

export const allStatuses = Object.keys(exitCodes) as Status[]

/** Those that a command can end with which sends a request. */
export const statusesOfRequests: readonly Status[] = [
  'done',
  'failed',
  'usage',
  'unauthorized',
  'notFound',
  'quota',
  'network',
]

/** Items of a list, the lowest status first. */
export function statusItems(statuses: readonly Status[]): string[] {
  const sorted = statuses.toSorted((one, other) => exitCodes[one] - exitCodes[other])
  return sorted.flatMap((status) => [`.It ${exitCodes[status]}`, prose(meanings[status])])
}
