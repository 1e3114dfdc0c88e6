/** Gives each property the seed of the run: fast-check would draw one. */

import fc from 'fast-check'
import { seed } from './seed.ts'

fc.configureGlobal({ seed })
