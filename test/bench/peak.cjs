// Loaded before a program: writes its peak of memory, in KiB, to the file named by the environment when it exits.
const { appendFileSync } = require('fs')

process.on('exit', () => appendFileSync(process.env.BENCH_PEAK, `${process.resourceUsage().maxRSS}\n`))
