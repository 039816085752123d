/** The first values of an iterable, `limit` at most; no more than these are read. */
export function take<T>(values: Iterable<T>, limit: number): T[] {
  const taken: T[] = []
  if (!(limit > 0)) return taken
  for (const value of values) {
    taken.push(value)
    if (taken.length >= limit) break
  }
  return taken
}
