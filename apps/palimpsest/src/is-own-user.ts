/** Whether a file is this user's. Systems without users say nothing against it. */
export function isOwnUser({ uid }: { readonly uid: number }): boolean {
  const own = process.getuid?.()
  return own === undefined || uid === own
}
