import { once } from 'node:events'
import { defineCommand } from '../command.ts'
import { share, time } from '../fields/notations.ts'
import { writeText } from '../io/io.ts'
import { defaultConcurrent, defaultLimit, defaultRate, defaultRenewalHours } from '../sandbox/defaults.ts'

export default defineCommand({
  description:
    'Listen on loopback until Ctrl-C. The sandbox needs no account and has every endpoint, both ' +
    'stream formats, quotas, and errors. Its answers come from rules, not from a model, and say so; the same request gets ' +
    'the same answer. To use it from another shell, paste the two lines it prints.',
  options: {
    port: {
      kind: 'number',
      minimum: 0,
      maximum: 65_535,
      whole: true,
      default: 'any free port',
      everyday: true,
      help: 'Port to listen on',
    },
    rate: {
      kind: 'number',
      minimum: 0,
      default: defaultRate,
      everyday: true,
      help: 'Tokens per second when streaming; 0: no delay',
    },
    limit: {
      kind: 'number',
      minimum: 0,
      default: defaultLimit,
      everyday: true,
      help: 'Rolling limit: requests to the dearest model before status 429',
    },
    renew: {
      ...time,
      default: `${defaultRenewalHours}h`,
      everyday: true,
      help: 'Time from empty to full, such as 60s',
    },
    concurrent: {
      kind: 'number',
      minimum: 1,
      whole: true,
      default: defaultConcurrent,
      everyday: true,
      help: 'Requests at a time for each text model',
    },
    fail: {
      ...share,
      default: '0%',
      everyday: true,
      help: 'Share of inference requests that fail with status 503, at random',
    },
    latency: {
      ...time,
      default: 'none',
      everyday: true,
      help: 'Time before an answer begins, such as 200ms',
    },
  },
  examples: [
    ['Serve on a free port', 'syn sandbox'],
    ['Serve on port 8080, as fast as possible', 'syn sandbox --port 8080 --rate 0'],
    ['Test a script with a used-up quota', 'syn sandbox --limit 0.2'],
    ['Rehearse a long run', 'syn sandbox --rate 0 --limit 10000 --concurrent 64 --latency 200ms --fail 5%'],
  ],

  async run({ options, io, notices }) {
    const { port = 0, rate, limit, renew: renewal, concurrent = defaultConcurrent, fail: failing, latency } = options
    const { startSandbox } = await import('../sandbox/server.ts')
    const sandbox = await startSandbox({ port, rate, limit, renewal, concurrent, failing, latency, now: io.now })
    await using _sandbox = { [Symbol.asyncDispose]: () => sandbox.close() }
    await writeText(io.out, `export SYN_BASE_URL=${sandbox.baseUrl}\nexport SYN_API_KEY=${sandbox.key}\n`)
    await notices.info(`sandbox listening on ${sandbox.baseUrl}; press Ctrl-C to stop`)
    if (!io.signal.aborted) await once(io.signal, 'abort')
    throw io.signal.reason
  },
})
