import { dirname } from 'node:path'

/** Why a file cannot be written, in words where they are known. */
export function describeWriteFault(path: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return `the folder ${dirname(path)} is missing`
  if (code === 'EEXIST' || code === 'ENOTDIR') return 'a file is where a folder should be'
  if (code === 'EACCES' || code === 'EPERM') return 'that is not permitted'
  if (code === 'EBUSY') return 'another program has it open'
  if (code === 'EROFS') return 'the file system can only be read'
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full'
  if (code === 'EFBIG') return 'it would be larger than files may be here'
  return code ?? message
}
