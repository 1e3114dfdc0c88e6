/** Cases that need the program as a process, in the order of the table. */

import type { ProcessAxis } from './process.ts'
import { descriptors } from './processes/descriptors.ts'
import { environments } from './processes/environment.ts'
import { files } from './processes/files.ts'
import { limits } from './processes/limits.ts'
import { names } from './processes/names.ts'
import { sizes } from './processes/sizes.ts'

/** Tried by `npm run test:long`. */
export const processAxes: readonly ProcessAxis[] = [descriptors, limits, files, names, environments, sizes]

/** Tried by `npm test`, too. */
export const everydayAxes: readonly ProcessAxis[] = [descriptors, limits].map(({ title, cases }) => {
  const alike = cases.filter(({ isAlike }) => isAlike)
  return { title, cases: cases.filter((one) => !one.isElsewhere && (!one.isAlike || alike.indexOf(one) % 4 === 0)) }
})
