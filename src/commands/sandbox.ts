import { once } from 'node:events'
import { defineCommand } from '../command.ts'
import { defaultLimit, defaultRate } from '../sandbox/defaults.ts'

export default defineCommand({
  description:
    'Serves a whole stand-in of the service on loopback until Ctrl-C: every endpoint, both stream formats, quotas and ' +
    'errors, offline and without an account. Its answers are made by rules, not by a model, and say so. The same request ' +
    'gets the same answer. Paste the lines it prints into another shell to use it from there.',
  options: {
    port: {
      kind: 'number',
      minimum: 0,
      maximum: 65_535,
      whole: true,
      default: 'any free port',
      everyday: true,
      help: 'Port to listen on.',
    },
    rate: {
      kind: 'number',
      minimum: 0,
      default: defaultRate,
      help: 'Tokens a second of streamed answers, 0 for no delay.',
    },
    limit: {
      kind: 'number',
      minimum: 0,
      whole: true,
      default: defaultLimit,
      help: 'Requests until the quota is spent and status 429 follows.',
    },
  },
  examples: [
    ['Serve on a free port', 'syn sandbox'],
    ['Serve on port 8080, as fast as possible', 'syn sandbox --port 8080 --rate 0'],
    ['See how a script takes a spent quota', 'syn sandbox --limit 3'],
  ],

  async run({ options, io, notices }) {
    const { startSandbox } = await import('../sandbox/server.ts')
    const { port = 0, rate, limit } = options
    const sandbox = await startSandbox({ port, isPaced: true, rate, limit, now: io.now })
    try {
      await io.out.write(`export SYN_BASE_URL=${sandbox.baseUrl}\nexport SYN_API_KEY=${sandbox.key}\n`)
      await notices.info(`sandbox listening on ${sandbox.baseUrl}; press Ctrl-C to stop`)
      if (!io.signal.aborted) await once(io.signal, 'abort')
      throw io.signal.reason
    } finally {
      await sandbox.close()
    }
  },
})
