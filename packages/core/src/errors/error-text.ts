/** The message of an error, whatever was thrown. */
export function errorText(error: unknown): string {
  if (error instanceof Error) return error.message
  try {
    return String(error)
  } catch {
    return 'something that cannot be shown was thrown'
  }
}
