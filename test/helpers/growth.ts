/** How long work takes in times of other work of the same run, which holds on a slow or busy machine. */

/** Of a growth; other work of this process counts too, but hardly at each try. */
const tries = 4

/** User CPU time in milliseconds, which other programs on the machine do not change. */
async function timeOf(work: () => unknown): Promise<number> {
  const { user } = process.cpuUsage()
  await work()
  return (process.cpuUsage().user - user) / 1000
}

/**
 * The time for much work in times of that for little work.
 * @param most Tries again while it is higher.
 * @param least In milliseconds: a shorter time for little work is noise, and counts as this.
 * @returns the lowest ratio.
 */
export async function growth(little: () => unknown, much: () => unknown, most: number, least: number): Promise<number> {
  let lowest = Infinity
  for (let attempt = 0; attempt < tries && lowest >= most; attempt++) {
    const long = await timeOf(much)
    const short = long < most * least ? least : Math.max(await timeOf(little), least)
    lowest = Math.min(lowest, long / short)
  }
  return lowest
}

/** In milliseconds: the shortest of some tries. @param most Tries again while it is longer. */
export function shortest(work: () => unknown, most: number): number {
  let lowest = Infinity
  for (let attempt = 0; attempt < 25 && lowest >= most; attempt++) {
    const start = performance.now()
    work()
    lowest = Math.min(lowest, performance.now() - start)
  }
  return lowest
}

/** In milliseconds: a frame is 16 where a copy of 20,000 names takes 5; on a slower machine, or one that is busy now, longer. */
export function frame(): number {
  const names = Array.from({ length: 20_000 }, (_, index) => ({
    text: `src/Part-${index % 97}/Some-Long-File-Name-${index}`,
  }))
  const times = Array.from({ length: 5 }, () => shortest(() => JSON.parse(JSON.stringify(names)), Infinity))
  return 3 * Math.min(...times)
}
