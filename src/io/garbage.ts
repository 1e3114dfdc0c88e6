/**
 * By default V8 collects garbage when it is three times what is in use: a long run then needs half as much memory again as a
 * short one, and large replies 50 MiB more.
 */
export async function boundGarbage(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8')
  setFlagsFromString('--heap-growing-percent=100')
}
