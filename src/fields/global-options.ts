/** Options that every command takes, before or after its name. */

import type { Fields, Values } from './field.ts'

/** Seconds without data after which a request times out. */
export const defaultTimeouts = { firstByte: 300, silence: 120 } as const

export const globalOptions = {
  profile: {
    kind: 'text',
    completes: 'profile',
    placeholder: 'NAME',
    help: 'Use the API key and settings of this profile',
  },
  baseUrl: { kind: 'text', placeholder: 'URL', help: 'Base URL of the service' },
  sandbox: {
    kind: 'switch',
    // The sandbox has neither: given together, one of them would be ignored.
    exclusive: ['profile', 'baseUrl'],
    help: 'Use the built-in sandbox: offline, no account needed',
  },
  timeout: {
    kind: 'number',
    minimum: 0,
    placeholder: 'SECONDS',
    default: `${defaultTimeouts.firstByte} before the first byte, then ${defaultTimeouts.silence}`,
    help: 'Give up after this many seconds without data, or never if 0',
  },
  retries: { kind: 'number', minimum: 0, whole: true, default: 3, help: 'Number of retries' },
  allowHttp: { kind: 'switch', help: 'Allow plain http to another machine; the API key is sent unencrypted' },
  color: {
    kind: 'boolean or choice',
    choices: ['auto', 'always', 'never'],
    default: 'auto',
    help: 'When to use color; --color alone means always',
  },
  quiet: { kind: 'switch', short: 'q', help: 'Print errors only, no notices' },
  debug: { kind: 'switch', help: 'Log each request, and stack traces, to stderr' },
} as const satisfies Fields

/** Handled before any command runs; no command sees them. */
export const helpOption = {
  help: { kind: 'switch', short: 'h', help: 'Print help (-h: summary; --help: all options)' },
} as const satisfies Fields
/** Accepted only without a command. */
export const programOptions = {
  version: { kind: 'switch', short: 'V', help: 'Print the version' },
  licenses: { kind: 'switch', help: 'Print the licenses of syn and of what it contains' },
} as const satisfies Fields

export type GlobalValues = Values<typeof globalOptions>
