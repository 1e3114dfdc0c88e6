import { exitCodes } from '../src/errors.ts'
import { prose } from './macros.ts'
import type { Section } from './mdoc.ts'

type Status = keyof typeof exitCodes

/** What each exit status means. */
export type Statuses = Partial<Readonly<Record<Status, string>>>

/** The exit statuses of a command that sends no request. */
export const localStatuses = {
  done: 'Success.',
  failed: 'Failure, such as a file that cannot be written.',
  usage: 'Usage error or invalid input: an unknown option, a value out of range, an invalid setting.',
} as const satisfies Statuses

/** The exit statuses of a command that sends requests. */
export const requestStatuses = {
  done: 'Success.',
  failed: 'Failure: the service rejected the request, or a file could not be written.',
  usage:
    'Usage error or invalid input: an unknown option, a value out of range, an unreadable file, no base URL. Nothing ' +
    'was sent.',
  unauthorized: 'Not authorized: no API key, or the service rejected it.',
  notFound: 'Not found: a model that was rotated out, or an endpoint that the service does not have.',
  quota: 'Quota used up, or rate limit reached.',
  network:
    'Network error, timeout, server error, unreadable reply or refused redirect, before any part of the answer was ' +
    'delivered.',
} as const satisfies Statuses

/** The exit statuses of a command whose answer is generated text. */
export const answerStatuses = {
  ...requestStatuses,
  done:
    'Success. An answer that reached its token limit, was filtered or was refused counts as success; a notice on ' +
    'stderr says so.',
  failed: 'Failure: the service rejected the request, a file could not be written, or --extract found no code block.',
  cutShort:
    'The answer was cut short after part of it had been delivered, or is empty or reached its token limit where only a whole ' +
    'one is of use: with --output, --extract and --schema.',
} as const satisfies Statuses

/** The exit statuses of a command that runs tools. */
export const toolStatuses = {
  ...answerStatuses,
  failed: answerStatuses.failed.replace(/, or /, ', ').replace(/\.$/, ', or a server of tools did not start.'),
  cutShort: answerStatuses.cutShort.replace(
    /\.$/,
    '; the last request of --max-steps called more tools; or a call was cut off, and not run.',
  ),
  threshold: 'The next request might have cost more than --max-cost.',
} as const satisfies Statuses

/** The statuses of all commands, for syn(1). */
export const allStatuses: Readonly<Record<Status, string>> = {
  ...toolStatuses,
  failed:
    'Failure: the service rejected the request, a file could not be written, there was nothing to extract or to find, the ' +
    'answer does not match its schema, or a call or a server of tools failed.',
  threshold:
    'A threshold was crossed: --fail-below or --strict of syn quota, --max of syn count-tokens, or --max-cost.',
  brokenPipe: 'The program that reads stdout closed it, as head does.',
}

/** Items of a list, the lowest status first. */
export function statusItems(statuses: Statuses): Section {
  const sorted = (Object.keys(statuses) as Status[]).toSorted((one, other) => exitCodes[one] - exitCodes[other])
  return sorted.flatMap((status) => [`.It ${exitCodes[status]}`, prose(statuses[status] ?? '')])
}
