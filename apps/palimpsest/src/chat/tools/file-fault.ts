import { ToolFault } from './tool-fault.ts'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder; list_files shows what there is',
  ENOTDIR: 'a part of this path is a file and not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'that is not permitted',
  EPERM: 'that is not permitted',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system can only be read',
  EMFILE: 'too many files are open; try again',
}

/** An error of the file system in words for the model. `shown`: the path as the model knows it. */
export function fileFault(shown: string, cause: unknown): ToolFault {
  if (cause instanceof ToolFault) return cause
  const { code = '', message = String(cause) } = (cause ?? {}) as NodeJS.ErrnoException
  return new ToolFault(`${shown}: ${REASONS[code] ?? (code || message)}`, { cause })
}
