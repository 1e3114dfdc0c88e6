import type { exitCodes } from '../src/errors.ts'

/** What each exit status means, in the words of syn(1). */
export const exitStatuses: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'Done. Also when the answer was cut at its length limit, filtered or refused, which a notice tells.',
  failed: 'Failed: the service refused the request, a file could not be written, there was nothing to extract.',
  usage:
    'Wrong usage or bad input, and nothing was sent: an unknown option, a value out of range, an unreadable file, no ' +
    'base address.',
  unauthorised: 'Not authorised: no key, or one that the service does not accept.',
  notFound: 'Not found: mostly a model that is no longer offered.',
  quota: 'The quota is used up, or requests came too fast.',
  network: 'Network failure, timeout, server fault or unreadable reply, before any of the answer was shown.',
  cutShort: 'The answer broke off after part of it was shown.',
  threshold: 'A threshold that was asked for was crossed.',
  readerGone: 'Whoever read standard output went away.',
}
