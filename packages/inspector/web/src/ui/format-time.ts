const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A moment in the reader's own time zone and words; `at` in milliseconds since the epoch. */
export function formatTime(at: number): string {
  return times.format(at)
}
