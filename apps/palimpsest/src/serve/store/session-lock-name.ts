/** What the lock of a session is called among those of everything else in the database. */
export function sessionLockName(session: string): string {
  return `service:${session}`
}
