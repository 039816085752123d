/** What the hold of a session is called among those of everything else in the database. */
export function sessionHoldName(session: string): string {
  return `service:${session}`
}
