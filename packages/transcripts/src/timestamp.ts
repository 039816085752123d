/** Milliseconds since the epoch of a recorded time: a number of milliseconds or an ISO date. */
export function timestampOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined
}
