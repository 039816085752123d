/** The `code` of an error of Node, such as `ENOENT`; empty for anything else that was thrown. Never throws. */
export function errorCode(error: unknown): string {
  try {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return typeof code === 'string' ? code : ''
  } catch {
    return ''
  }
}

/** Whether an error of the file system says that nothing is there. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error))
}
