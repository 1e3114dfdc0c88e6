/** Options that every command takes, before or after its name. */

import type { Fields, Values } from './field.ts'

/** Seconds without data after which a request times out. */
export const defaultTimeouts = { firstByte: 300, silence: 120 } as const

export const globalOptions = {
  profile: {
    kind: 'text',
    completes: 'profile',
    placeholder: 'NAME',
    help: 'Use the address, key and settings stored under this name.',
  },
  baseUrl: { kind: 'text', placeholder: 'URL', help: 'Base address of the service.' },
  sandbox: { kind: 'switch', help: 'Use the embedded stand-in for the service: offline, no account, no key.' },
  timeout: {
    kind: 'number',
    minimum: 0,
    placeholder: 'SECONDS',
    default: `${defaultTimeouts.firstByte} before the first byte, then ${defaultTimeouts.silence}; 0: never`,
    help: 'Give up after this many seconds without data.',
  },
  retries: { kind: 'number', minimum: 0, whole: true, default: 3, help: 'Number of retries.' },
  allowHttp: { kind: 'switch', help: 'Send the key over plain http to another machine.' },
  color: { kind: 'boolean', default: 'on a terminal', help: 'Force or disable color.' },
  quiet: { kind: 'switch', short: 'q', help: 'No notices on standard error, only errors.' },
  debug: { kind: 'switch', help: 'Tell every request, and where an error arose, on standard error.' },
} as const satisfies Fields

/** Handled before any command runs; no command sees them. */
export const helpOption = { help: { kind: 'switch', short: 'h', help: 'Print the help.' } } as const satisfies Fields
export const versionOption = {
  version: { kind: 'switch', short: 'V', help: 'Print the version.' },
} as const satisfies Fields

export type GlobalValues = Values<typeof globalOptions>
