/** Options that every command takes, before or after its name. */

import type { Fields, Values } from './field.ts'

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
    help: 'Longest silence borne, 0 for any: by default 300 before the first byte, then 120.',
  },
  retries: { kind: 'number', minimum: 0, whole: true, help: 'How often to try again; 3 unasked.' },
  allowHttp: { kind: 'switch', help: 'Send the key over plain http to another machine.' },
  color: { kind: 'boolean', help: 'Colours, also off a terminal, or never.' },
  quiet: { kind: 'switch', short: 'q', help: 'No notices on standard error, only errors.' },
  debug: { kind: 'switch', help: 'Tell every request, and where an error arose, on standard error.' },
} as const satisfies Fields

/** Answered before a command is asked; no command sees them. */
export const helpOption = { help: { kind: 'switch', short: 'h', help: 'Print the help.' } } as const satisfies Fields
export const versionOption = {
  version: { kind: 'switch', short: 'V', help: 'Print the version.' },
} as const satisfies Fields

export type GlobalValues = Values<typeof globalOptions>
