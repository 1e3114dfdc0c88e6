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
  usage: 'Usage error or invalid input.',
} as const satisfies Statuses

/** The exit statuses of a command that sends requests. */
export const requestStatuses = {
  done: 'Success.',
  failed: 'Failure: the service rejected the request, or a file could not be written.',
  usage: 'Usage error or invalid input; nothing was sent.',
  unauthorized: 'Not authorized: no API key, or the service rejected it.',
  notFound: 'Not found: a removed model, or a missing endpoint.',
  quota: 'Quota used up, or rate limit reached.',
  network: 'Network error, timeout, server error, or unreadable reply, before any part of the answer.',
} as const satisfies Statuses

/** The exit statuses of a command whose answer is generated text. */
export const answerStatuses = {
  ...requestStatuses,
  done: 'Success, with a notice if the answer reached its token limit, was filtered or was refused.',
  failed: 'Failure: the service rejected the request, a file could not be written, or --extract found no code block.',
  cutShort:
    'The answer was cut short after part of it arrived. With --output, --extract and --schema also: it is empty, or ' +
    'reached its token limit.',
} as const satisfies Statuses

/** The exit statuses of a command that runs tools. */
export const toolStatuses = {
  ...answerStatuses,
  failed: answerStatuses.failed.replace(/, or /, ', ').replace(/\.$/, ', or a server of tools did not start.'),
  cutShort: answerStatuses.cutShort.replace(
    /\.$/,
    '. With tools also: the last request of --max-steps called more tools, or a call was cut off.',
  ),
  threshold: 'The next request might have cost more than --max-cost.',
} as const satisfies Statuses

/** The statuses of all commands, for syn(1). */
export const allStatuses: Readonly<Record<Status, string>> = {
  ...toolStatuses,
  failed:
    'Failure: the service rejected the request, a file could not be written, nothing to extract or nothing found, the ' +
    'answer does not match its schema, or a call or a server of tools failed.',
  usage:
    'Usage error or invalid input: an unknown option, a value out of range, an unreadable file, no base URL. Nothing ' +
    'was sent.',
  threshold: 'A threshold was crossed: --fail-below of syn quota, --max of syn count-tokens, or --max-cost.',
  brokenPipe: 'The program that reads stdout closed it, as head does.',
}

/** Items of a list, the lowest status first. */
export function statusItems(statuses: Statuses): Section {
  const sorted = (Object.keys(statuses) as Status[]).toSorted((one, other) => exitCodes[one] - exitCodes[other])
  return sorted.flatMap((status) => [`.It ${exitCodes[status]}`, prose(statuses[status] ?? '')])
}
