/** Redirects: within the origin a redirect is followed if the method stays; the key goes nowhere else. */

import { goodBody } from '../operations.ts'
import type { Axis, Case, Expected, Fault } from '../cases.ts'

const hint =
  'check the base URL: syn config get base-url; if the service has moved, store the new one with syn login --base-url URL'
const whole: Expected = { exit: 0, requests: 2 }

const gets = ['models', 'quota']

function refused(words: string): Expected {
  return { exit: 6, words: `refusing the redirect to ${words}`, hint }
}

/** @param location From the server's origin. */
function redirect(status: number, location: (origin: string) => string, body: readonly string[] = []): Fault {
  return {
    answer: (operation, number, origin) =>
      number === 0 ? { status, headers: { location: location(origin) }, body } : { body: [goodBody(operation)] },
  }
}

function forGets(expected: Expected): Record<string, Expected> {
  return Object.fromEntries(gets.map((name) => [name, expected]))
}

const statuses = [301, 302, 303, 307, 308]

export const redirects: Axis = {
  title: 'Redirect',
  dependsOn: 'nothing',
  cases: [
    ...statuses.map((status): Case => ({
      name: `${status} within the origin`,
      fault: redirect(status, () => '/there?x=1'),
      outcomes:
        status > 303
          ? { all: whole }
          : { ...forGets(whole), all: { ...refused('http'), words: `status ${status} changes POST to GET` } },
    })),
    {
      name: '302 to another origin',
      fault: redirect(302, () => 'https://example.com/take'),
      outcomes: { all: refused('https://example.com/take: the API key is only for http://127.0.0.1:') },
    },
    {
      name: '307 to another port',
      fault: redirect(307, () => 'http://127.0.0.1:1/'),
      outcomes: { all: refused('http://127.0.0.1:1/: the API key is only for') },
    },
    {
      name: '307 to https',
      fault: redirect(307, (origin) => origin.replace('http', 'https')),
      outcomes: { all: refused('https://127.0.0.1:') },
    },
    {
      name: '307 to an invalid URL',
      fault: redirect(307, () => 'http://'),
      outcomes: { all: refused('an invalid URL') },
    },
    {
      name: '307 with a user name',
      fault: redirect(307, (origin) => origin.replace('//', '//user:word@')),
      outcomes: { all: whole },
    },
    {
      name: '307 that never ends its body',
      fault: {
        answer: (operation, number) =>
          number === 0
            ? { status: 307, headers: { location: '/there' }, body: ['Moved', { do: 'stall' }] }
            : { body: [goodBody(operation)] },
      },
      outcomes: { all: whole },
    },
    {
      name: '307 in a loop',
      fault: { answer: () => ({ status: 307, headers: { location: '/there' }, body: [] }) },
      outcomes: { all: { exit: 6, words: 'too many redirects', requests: 6 } },
    },
    {
      name: '307 without a target',
      fault: { answer: () => ({ status: 307, body: [] }) },
      outcomes: { all: { exit: 6, words: 'the service returned 307 Temporary Redirect' } },
    },
  ],
}
