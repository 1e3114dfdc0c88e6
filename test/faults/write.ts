/** Writes README.md of this folder: `npm run faults`. */

import { writeFileSync } from 'node:fs'
import { readme } from './readme.ts'

writeFileSync(new URL('README.md', import.meta.url), readme())
