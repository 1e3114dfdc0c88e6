import { UsageError } from '../errors.ts'
import { quote } from '../io/json.ts'
import { invalidValue } from '../fields/problem.ts'
import { isGuard, type QuotaOptions } from './options.ts'

/** @throws UsageError for what is no path, and for a block where none is chosen. */
export function checkOptions(options: QuotaOptions): void {
  checkPath('--get', options.get)
  checkPath('--block', options.block)
  const hasBlocks = !options.json && !options.curl && options.get === undefined
  if (options.block === undefined || hasBlocks || isGuard(options)) return
  throw new UsageError('--block has nothing to choose here: --json, --get and --curl are about the whole record', {
    hint: `one block as JSON: syn quota --get ${options.block}`,
  })
}

function checkPath(flag: string, path: string | undefined): void {
  if (path === undefined || path.split('.').every((key) => key.trim() !== '')) return
  throw invalidValue(flag, { path: [], found: quote(path), expected: 'keys parted by dots, such as search.hourly' })
}
