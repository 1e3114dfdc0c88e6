import { UsageError } from '../errors.ts'

/**
 * Trims a key and makes sure that a header can carry it.
 * @param where Names the text in the error, which never shows it.
 * @throws UsageError
 */
export function checkKey(text: string, where: string): string {
  const key = text.trim()
  if (key === '') throw new UsageError(`${where}: the key is empty`)
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError(`${where}: the key holds spaces, line breaks or characters outside ASCII`)
  }
  return key
}
