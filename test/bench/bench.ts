/** `npm run bench`: measures syn beside other programs. `npm run bench -- --help` shows the options. */

import { main } from './main.ts'

// So that the temporary folder is removed.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

process.exitCode = await main(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
