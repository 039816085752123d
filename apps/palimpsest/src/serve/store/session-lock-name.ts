/** The name of a session's lock, apart from everything else in the database. */
export function sessionLockName(session: string): string {
  return `service:${session}`
}
