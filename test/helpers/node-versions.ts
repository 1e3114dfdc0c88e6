/** Other versions of Node, on which the long tests run the built program. */

/** Some platforms lack a package of each version: this is the platform of CI. */
export const canFetchNode = process.platform === 'linux' && process.arch === 'x64'

/** `npm run test:long` tries the newest one, `npm run test:nightly` the others; `npm test` runs on the oldest of all. */
export const nodes = { newest: 'node26', others: ['node22', 'node24'] } as const

/** Versions that cannot load the program. */
export const oldNodeProjects = ['node10', 'node18']
