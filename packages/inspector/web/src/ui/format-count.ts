const counts = new Intl.NumberFormat('en-US')

/** A whole number for people: `12,345`. The same everywhere, so that a page can be compared with its JSON. */
export function formatCount(count: number): string {
  return counts.format(count)
}

/** A number with its noun: `1 message`, `12,345 messages`. */
export function formatAmount(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}
