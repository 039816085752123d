/** The message of an error, whatever was thrown. */
export function errorText(error: unknown): string {
  if (error instanceof Error) return error.message
  if (error === null || error === undefined) return `${error} was thrown`
  try {
    return String(error)
  } catch {
    return 'something that cannot be shown was thrown'
  }
}
