/** Cases that need the program as a process, in the order of the table. */

import type { ProcessAxis } from './process.ts'
import { descriptors } from './processes/descriptors.ts'
import { environments } from './processes/environment.ts'
import { files } from './processes/files.ts'
import { limits } from './processes/limits.ts'
import { names } from './processes/names.ts'
import { sizes } from './processes/sizes.ts'

/** Tried by `npm test`. */
export const everydayAxes: readonly ProcessAxis[] = [descriptors, limits]

/** Tried by `npm run test:long`. */
export const longAxes: readonly ProcessAxis[] = [files, names, environments, sizes]
