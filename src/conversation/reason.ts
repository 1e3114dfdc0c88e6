import { isSystemError } from '../errors.ts'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its links lead in circles',
  ENAMETOOLONG: 'its path is too long',
  EROFS: 'the disk is read-only',
}

/** Why the system refused what was asked of a file or folder, in words. */
export function reasonOf(error: unknown): string {
  if (isSystemError(error)) return reasons[error.code ?? ''] ?? error.message
  return error instanceof Error ? error.message : String(error)
}
